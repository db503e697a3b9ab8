// Use the local API with the JavaScript clients of OpenAI, Anthropic, Ollama and Vercel, and print what they
// got as JSON. `node node_clients.mjs ADDRESS MODEL`, in a folder that has their packages.

import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

// The packages lie where the command runs, not beside this file.
const require = createRequire(join(process.cwd(), "package.json"));
const load = async (name) => import(pathToFileURL(require.resolve(name)).href);
const OpenAI = (await load("openai")).default;
const Anthropic = (await load("@anthropic-ai/sdk")).default;
const { Ollama } = await load("ollama");
const { generateText, streamText, Output, tool, jsonSchema } = await load("ai");
const { createOpenAI } = await load("@ai-sdk/openai");
const { createAnthropic } = await load("@ai-sdk/anthropic");
const { createOllama } = await load("ollama-ai-provider-v2");
const { createOpenAICompatible } = await load("@ai-sdk/openai-compatible");

const [address, model] = process.argv.slice(2);
const said = [{ role: "user", content: "Say hello" }];
const schema = {
  type: "object",
  properties: { at: { enum: ["here"] } },
  required: ["at"],
  additionalProperties: false,
};
const format = { type: "json_schema", json_schema: { name: "x", schema } };

async function status(call) {
  try {
    await call();
  } catch (error) {
    return error.status ?? error.status_code ?? error.statusCode ?? String(error);
  }
  return 200;
}

async function withOpenai() {
  const client = new OpenAI({ baseURL: `${address}/v1`, apiKey: "none", maxRetries: 0 });
  const common = { model, messages: said, max_tokens: 40, temperature: 0 };
  const found = { chat: (await client.chat.completions.create(common)).choices[0].message.content };
  found.stream = "";
  for await (const chunk of await client.chat.completions.create({ ...common, stream: true })) {
    found.stream += chunk.choices[0]?.delta.content ?? "";
  }
  const tools = [{ type: "function", function: { name: "look", parameters: schema } }];
  const called = await client.chat.completions.create({ ...common, tools, tool_choice: "required" });
  found.tool = JSON.parse(called.choices[0].message.tool_calls[0].function.arguments);
  const shaped = await client.chat.completions.create({ ...common, response_format: format });
  found.schema = JSON.parse(shaped.choices[0].message.content);
  const vectors = await client.embeddings.create({ model, input: ["a"], dimensions: 8 });
  found.embed = vectors.data[0].embedding.length;
  const response = client.responses.stream({ model, input: "Say hello", max_output_tokens: 16 });
  found.response = (await response.finalResponse()).output_text;
  found.error = await status(() => client.chat.completions.create({ ...common, model: "none" }));
  const cut = await client.chat.completions.create({ ...common, max_tokens: 500, stream: true });
  cut.controller.abort();
  return found;
}

async function withAnthropic() {
  const client = new Anthropic({ baseURL: address, apiKey: "none", maxRetries: 0 });
  const common = { model, max_tokens: 40, messages: said };
  const found = { chat: (await client.messages.create({ ...common, temperature: 0 })).content[0].text };
  found.stream = await client.messages.stream({ ...common, temperature: 0 }).finalText();
  const tools = [{ name: "look", input_schema: schema }];
  const called = client.messages.stream({ ...common, tools, tool_choice: { type: "any" } });
  found.tool = (await called.finalMessage()).content.at(-1).input;
  found.count = (await client.messages.countTokens({ model, messages: said })).input_tokens;
  found.error = await status(() => client.messages.create({ ...common, model: "none" }));
  return found;
}

async function withOllama() {
  const client = new Ollama({ host: address });
  const common = { model, messages: said, options: { num_predict: 40, temperature: 0 } };
  const found = { chat: (await client.chat(common)).message.content, stream: "" };
  for await (const part of await client.chat({ ...common, stream: true })) {
    found.stream += part.message.content;
  }
  found.schema = JSON.parse((await client.chat({ ...common, format: schema })).message.content);
  found.embed = (await client.embed({ model, input: "a" })).embeddings.length;
  found.error = await status(() => client.chat({ ...common, model: "none" }));
  return found;
}

// A server as each of the kinds that the AI SDK knows; `openai` asks /v1/responses.
const baseURL = `${address}/v1`;
const compatible = { name: "fireside", baseURL, supportsStructuredOutputs: true, includeUsage: true };
const served = {
  compatible: createOpenAICompatible(compatible),
  openai: createOpenAI({ baseURL, apiKey: "none" }),
  anthropic: createAnthropic({ baseURL, apiKey: "none" }),
  ollama: createOllama({ baseURL: `${address}/api` }),
};

async function withAi(kind) {
  const common = {
    model: served[kind](model),
    prompt: "Say hello",
    maxOutputTokens: 40,
    temperature: 0,
    maxRetries: 0,
    providerOptions: { ollama: { options: { temperature: 0, num_predict: 40 } } },
  };
  const ended = async ({ text, finishReason, usage }) => {
    const { inputTokens, outputTokens } = await usage;
    return { text: await text, reason: await finishReason, tokens: [inputTokens, outputTokens] };
  };
  const found = { whole: await ended(await generateText(common)), streamed: await ended(streamText(common)) };
  found.chat = found.whole.text;
  found.stream = found.streamed.text;
  const look = tool({ description: "Look around", inputSchema: jsonSchema(schema) });
  const calling = { ...common, tools: { look }, toolChoice: "required" };
  // Ollama's API cannot require a call.
  if (kind !== "ollama") {
    found.tool = (await generateText(calling)).toolCalls[0].input;
    found.streamed_tool = (await streamText(calling).toolCalls)[0].input;
  }
  const shaped = { ...common, output: Output.object({ schema: jsonSchema(schema) }) };
  found.schema = (await generateText(shaped)).output;
  found.streamed_schema = await streamText(shaped).output;
  found.unknown = await status(() => generateText({ ...common, model: served[kind]("none") }));
  found.too_long = await status(() => generateText({ ...common, prompt: "hello ".repeat(9000) }));
  const cut = new AbortController();
  for await (const _ of streamText({ ...common, maxOutputTokens: 500, abortSignal: cut.signal }).textStream) {
    cut.abort();
  }
  const after = { options: { num_predict: 2 } };
  const two = { ...common, maxOutputTokens: 2, providerOptions: { ollama: after } };
  found.after_cancel = (await generateText(two)).usage.outputTokens;
  return found;
}

const found = {
  openai: await withOpenai(),
  anthropic: await withAnthropic(),
  ollama: await withOllama(),
};
for (const kind of Object.keys(served)) {
  found[`ai_${kind}`] = await withAi(kind);
}
process.stdout.write(JSON.stringify(found));
