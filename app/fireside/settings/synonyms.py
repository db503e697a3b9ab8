"""Other names of settings, for searches: those of other programs, llama.cpp's options, everyday words."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from fireside.core.i18n import tr, tr_noop
from fireside.core.text_folding import fold
from fireside.settings.values import Group, SettingDefinition

_SYNONYMS: Final[dict[str, str]] = {
    "appearance.theme": tr_noop("dark mode; light mode; night mode; colour scheme; color scheme"),
    "appearance.language": tr_noop("locale; translation; interface language; UI language"),
    "appearance.accent": tr_noop("accent color; highlight colour; colors"),
    "appearance.contrast": tr_noop("high contrast; accessibility; readability"),
    "appearance.density": tr_noop("compact mode; spacing; row height"),
    "appearance.text_size": tr_noop("font size; zoom; UI scale; larger text"),
    "window.keep_in_tray": tr_noop("system tray; minimise to tray; minimize to tray; run in background"),
    "chat.system_prompt": tr_noop("system prompt; system message; instructions; persona; role"),
    "chat.stays_local": tr_noop("local only; keep this chat on this computer; private; lock; no cloud"),
    "chat.titles_by_model": tr_noop("chat titles; auto title; generate titles; rename chats automatically"),
    "chat.notify_when_done": tr_noop("notification; desktop notification; alert"),
    "tools.web_search": tr_noop("internet search; browse; online; search engine; google"),
    "tools.web_pages": tr_noop("fetch; browse; url; web browser; internet; online"),
    "tools.memory": tr_noop("remember; personalization; personalisation; long-term memory; about me"),
    "answer.reasoning": tr_noop(
        "reasoning; reasoning effort; thinking; enable_thinking; think; chain of thought; CoT"
    ),
    "answer.thinking_budget": tr_noop("thinking budget; reasoning budget; max thinking tokens"),
    "answer.when_full": tr_noop("context shift; rolling window; context full; context overflow"),
    "answer.overflow": tr_noop(
        "context overflow policy; truncate middle; rolling window; compact; summarise chat; chat too long"
    ),
    "answer.reply_reserve": tr_noop("response reserve; reserved response tokens; n_keep; output reserve"),
    "answer.template": tr_noop("chat template; jinja; prompt template; prompt format"),
    "answer.template_arguments": tr_noop("chat_template_kwargs; jinja variables; template kwargs"),
    "answer.keep_probabilities": tr_noop("logprobs; token probabilities; n_probs; top_logprobs"),
    "answer.format": tr_noop(
        "response format; response_format; json mode; structured output; json schema; grammar; gbnf; regex"
    ),
    "answer.format_rule": tr_noop("json schema; grammar; gbnf; structured output; regex; lark"),
    "sampling.temperature": tr_noop("temp; creativity; randomness"),
    "sampling.top_k": tr_noop("top_k; top-k"),
    "sampling.top_p": tr_noop("top_p; top-p; nucleus sampling"),
    "sampling.min_p": tr_noop("min_p; min-p"),
    "sampling.typical_p": tr_noop("typical_p; locally typical sampling; tfs"),
    "sampling.repeat_penalty": tr_noop("repeat_penalty; repetition penalty; repetition_penalty"),
    "sampling.repeat_last_n": tr_noop("repeat_last_n; penalty_last_n; repetition range"),
    "sampling.presence_penalty": tr_noop("presence_penalty; presence"),
    "sampling.frequency_penalty": tr_noop("frequency_penalty; frequency"),
    "sampling.seed": tr_noop("seed; random seed; rng; deterministic; reproducible"),
    "sampling.max_tokens": tr_noop(
        "max tokens; max_tokens; n_predict; num_predict; response length; limit response; output length"
    ),
    "sampling.stop": tr_noop("stop sequence; stop sequences; stop strings; stop words; reverse prompt"),
    "sampling.guard_repetition": tr_noop("loop detection; repetition loop; stuck; endless loop"),
    "sampling.dynatemp_range": tr_noop("dynamic temperature; dynatemp_range; dynatemp"),
    "sampling.dynatemp_exponent": tr_noop("dynamic temperature exponent; dynatemp_exponent"),
    "sampling.top_n_sigma": tr_noop("top_n_sigma; n-sigma"),
    "sampling.xtc_probability": tr_noop("xtc_probability; exclude top choices"),
    "sampling.xtc_threshold": tr_noop("xtc_threshold; exclude top choices threshold"),
    "sampling.dry_multiplier": tr_noop("dry_multiplier; dry sampling; don’t repeat yourself"),
    "sampling.dry_base": tr_noop("dry_base"),
    "sampling.dry_allowed_length": tr_noop("dry_allowed_length"),
    "sampling.dry_penalty_last_n": tr_noop("dry_penalty_last_n; dry range"),
    "sampling.dry_sequence_breakers": tr_noop("dry_sequence_breakers; sequence breakers"),
    "sampling.mirostat": tr_noop("mirostat; mirostat mode; perplexity control"),
    "sampling.mirostat_tau": tr_noop("mirostat_tau; target entropy"),
    "sampling.mirostat_eta": tr_noop("mirostat_eta; learning rate"),
    "sampling.adaptive_p_target": tr_noop("adaptive_p_target; adaptive-p; adaptive sampling"),
    "sampling.adaptive_p_decay": tr_noop("adaptive_p_decay; adaptive-p decay"),
    "sampling.samplers": tr_noop("samplers; sampler order; sampling order; sampler sequence"),
    "sampling.logit_bias": tr_noop("logit_bias; ban tokens; token bias"),
    "load.n_ctx": tr_noop("context length; context window; n_ctx; num_ctx; ctx-size; max context"),
    "load.n_gpu_layers": tr_noop(
        "gpu offload; gpu layers; n_gpu_layers; num_gpu; ngl; vram; cuda; metal; vulkan"
    ),
    "load.n_threads": tr_noop("cpu threads; n_threads; num_thread; thread count; cpu cores"),
    "load.spin_count": tr_noop("poll; polling; spin; busy wait"),
    "load.n_seq_max": tr_noop("parallel requests; n_parallel; num_parallel; slots; concurrency"),
    "load.kv_unified": tr_noop("unified kv cache; kv_unified; shared kv cache"),
    "load.flash_attn": tr_noop("flash attention; flash_attn; fa"),
    "load.cache_type_k": tr_noop("kv cache; kv cache quantization; cache_type_k; k cache; kv cache type"),
    "load.cache_type_v": tr_noop("kv cache; kv cache quantization; cache_type_v; v cache; kv cache type"),
    "load.n_batch": tr_noop("batch size; n_batch; num_batch; evaluation batch size"),
    "load.n_ubatch": tr_noop("ubatch; n_ubatch; physical batch size; micro batch"),
    "load.speculation": tr_noop("speculative decoding; lookup decoding; ngram; prompt lookup"),
    "load.draft_path": tr_noop("draft model; speculative model; model_draft; assistant model"),
    "load.draft_n_ctx": tr_noop("ctx_size_draft; draft context; draft context size"),
    "load.draft_n_gpu_layers": tr_noop("n_gpu_layers_draft; ngld; draft gpu layers"),
    "load.draft_n_threads": tr_noop("threads_draft; draft threads"),
    "load.draft_cache_type_k": tr_noop("cache_type_k_draft; ctkd; draft kv cache"),
    "load.draft_cache_type_v": tr_noop("cache_type_v_draft; ctvd; draft kv cache"),
    "load.cache_reuse": tr_noop("cache_reuse; n_cache_reuse; KV shifting; chunk reuse"),
    "load.n_draft": tr_noop("draft_max; draft tokens; n_draft; draft n"),
    "load.lora": tr_noop("lora; adapter; fine-tune"),
    "load.lora_scales": tr_noop("lora scale; lora_scaled; adapter strength"),
    "load.use_mmap": tr_noop("mmap; use_mmap; no-mmap; memory map; memory mapping"),
    "load.rope_scaling": tr_noop("rope; rope scaling; yarn; extend context; long context"),
    "load.rope_freq_base": tr_noop("rope; rope_freq_base; rope theta; rope frequency base"),
    "load.rope_freq_scale": tr_noop("rope; rope_freq_scale; rope frequency scale"),
    "load.n_threads_batch": tr_noop("threads_batch; n_threads_batch; prompt threads"),
    "load.cpus": tr_noop("cpu affinity; cpu_mask; cpu_range; pin threads; core pinning"),
    "load.numa": tr_noop("numa; memory nodes; sockets"),
    "load.use_mlock": tr_noop("mlock; use_mlock; keep model in memory; lock memory; no swap"),
    "load.memory_limit_mb": tr_noop("memory limit; ram limit; max memory; guardrails"),
    "load.swa_full": tr_noop("swa_full; sliding window; swa"),
    "load.op_offload": tr_noop("op_offload; no-op-offload; gpu prompt processing"),
    "load.image_min_tokens": tr_noop("image_min_tokens; vision tokens; image tokens; image resolution"),
    "load.image_max_tokens": tr_noop("image_max_tokens; vision tokens; image tokens; image resolution"),
    "load.tensor_places": tr_noop("override_tensor; override-tensor; tensor override; tensor buffer"),
    "load.metadata_overrides": tr_noop("override_kv; override-kv; metadata override"),
    "load.control_vectors": tr_noop("control vector; control_vector; steering vector"),
    "load.control_scales": tr_noop("control_vector_scaled; steering strength"),
    "load.control_layers": tr_noop("control_vector_layer_range; steering layers"),
    "load.n_cpu_moe": tr_noop("n_cpu_moe; cpu_moe; moe; mixture of experts; expert offload; expert weights"),
    "load.offload_kqv": tr_noop("kv cache on gpu; offload_kqv; kv offload; no_kv_offload"),
    "load.split_mode": tr_noop("multi gpu; split_mode; multiple gpus"),
    "load.tensor_split": tr_noop("tensor_split; gpu split; split ratio"),
    "load.main_gpu": tr_noop("main_gpu; primary gpu; select gpu"),
    "load.excluded_devices": tr_noop("disable gpu; exclude gpu; CUDA_VISIBLE_DEVICES; devices"),
    "engine.load_last_model": tr_noop("autoload; load model on startup; preload; auto load last model"),
    "engine.keep_alive_minutes": tr_noop(
        "keep_alive; keep alive; idle; ttl; auto unload; auto-evict; unload after idle"
    ),
    "engine.max_models": tr_noop("max loaded models; max_loaded_models; loaded models; models at once"),
    "engine.load_patience_s": tr_noop("timeout; load timeout; load_timeout"),
    "engine.cache_memory_mb": tr_noop("prompt cache; cache_ram; prompt caching; context cache"),
    "engine.cache_disk_gb": tr_noop("prompt cache; disk cache; slot_save_path; prompt caching"),
    "hub.offline": tr_noop("offline mode; telemetry; privacy; internet; network; no connections; air gap"),
    "hub.downloads_at_once": tr_noop("concurrent downloads; parallel downloads; simultaneous downloads"),
    "hub.speed_limit_kb": tr_noop("bandwidth; throttle; download limit; rate limit"),
    "hub.endpoint": tr_noop("hugging face; huggingface; hf_endpoint; hf mirror; mirror; hub url"),
    "hub.proxy": tr_noop("proxy; http_proxy; https_proxy; socks"),
    "hub.ca_file": tr_noop("ssl; tls; ca bundle; certificate; ssl_cert_file; self-signed"),
    "updates.daily": tr_noop("auto update; automatic updates; look for updates; new version; upgrade"),
    "backups.automatic": tr_noop("auto backup; daily backup; save chats"),
    "backups.folder": tr_noop("backup location; backup directory; backup path"),
    "folders.data": tr_noop("data directory; chat storage; database location; logs"),
    "folders.models": tr_noop("models directory; model directory; models path; download location"),
    "library.other_applications": tr_noop("lm studio; ollama; jan; import models; models from other apps"),
    Group.API: tr_noop("api server; openai api; base url"),
    Group.ENGINES: tr_noop(
        "engines; add engine; remote engine; remote server; provider; pool; load balancing; vllm; sglang; "
        "openrouter"
    ),
    Group.PRIVACY: tr_noop("connections; network log; traffic"),
    Group.BACKUPS: tr_noop("restore backup; safety copy"),
    Group.ABOUT: tr_noop("check for updates; version; licences"),
}
"""By key or section, separated by “; ”. A translation lists the words of that language instead."""


class Match(IntEnum):
    """How well a setting matches a search, the best last."""

    NONE = 0
    DESCRIPTION = 1
    """The terms are in its description."""
    NAME = 2
    """The terms are in one of its names."""


def synonyms(key: str) -> tuple[str, ...]:
    """Return other names of a setting or section, in English and in the language of the window."""
    english = _SYNONYMS.get(key, "")
    names = f"{english}; {tr(english)}" if english else ""
    return tuple(dict.fromkeys(name.strip() for name in names.split(";") if name.strip()))


def match(definition: SettingDefinition, query: str) -> Match:
    """Return how well a setting matches the terms of ``query``, in any order and case. An empty query matches
    the names of all settings."""
    terms = fold(query).split()
    _, _, option = definition.key.partition(".")
    names = (tr(definition.label), definition.label, option, *synonyms(definition.key))
    if any(_contains(name, terms) for name in names):
        return Match.NAME
    description = " ".join((*names, definition.key, tr(definition.help), tr(definition.group)))
    return Match.DESCRIPTION if _contains(description, terms) else Match.NONE


def _contains(text: str, terms: list[str]) -> bool:
    folded = fold(text)
    return all(term in folded for term in terms)
