/* Answers one question with llama.cpp alone: answer.exe MODEL. For tests of its libraries where Python does not run. */
#include <stdio.h>
#include <string.h>
#include "llama.h"

#define PROMPT "<|im_start|>user\nName the capital of France.<|im_end|>\n<|im_start|>assistant\n"

int main(int argc, char **argv)
{
    llama_token tokens[256];
    int n_left = 24;

    if (argc != 2) {
        return 2;
    }
    ggml_backend_load_all();
    struct llama_model *model = llama_model_load_from_file(argv[1], llama_model_default_params());
    if (!model) {
        return 1;
    }
    const struct llama_vocab *vocab = llama_model_get_vocab(model);
    struct llama_context_params params = llama_context_default_params();
    params.n_ctx = 512;
    params.n_threads = params.n_threads_batch = 1;
    struct llama_context *context = llama_init_from_model(model, params);
    struct llama_sampler *greedy = llama_sampler_init_greedy();
    int n = llama_tokenize(vocab, PROMPT, (int) strlen(PROMPT), tokens, 256, true, true);
    struct llama_batch batch = llama_batch_get_one(tokens, n);
    while (n_left-- > 0 && llama_decode(context, batch) == 0) {
        char piece[64];
        llama_token token = llama_sampler_sample(greedy, context, -1);
        if (llama_vocab_is_eog(vocab, token)) {
            break;
        }
        n = llama_token_to_piece(vocab, token, piece, sizeof piece, 0, false);
        fwrite(piece, 1, (size_t) n, stdout);
        tokens[0] = token;
        batch = llama_batch_get_one(tokens, 1);
    }
    putchar('\n');
    return 0;
}
