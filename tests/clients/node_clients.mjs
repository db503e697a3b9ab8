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
const { generateText, generateObject, streamText, tool, jsonSchema } = await load("ai");
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
    return error.status ?? error.status_code;
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

async function withAi() {
  const served = createOpenAICompatible({
    name: "fireside",
    baseURL: `${address}/v1`,
    supportsStructuredOutputs: true,
  })(model);
  const common = { model: served, prompt: "Say hello", maxOutputTokens: 40, temperature: 0, maxRetries: 0 };
  const found = { chat: (await generateText(common)).text };
  found.stream = await streamText(common).text;
  const look = tool({ description: "Look around", inputSchema: jsonSchema(schema) });
  const called = await generateText({ ...common, tools: { look }, toolChoice: "required" });
  found.tool = called.toolCalls[0].input;
  found.schema = (await generateObject({ ...common, schema: jsonSchema(schema) })).object;
  return found;
}

const found = {
  openai: await withOpenai(),
  anthropic: await withAnthropic(),
  ollama: await withOllama(),
  ai: await withAi(),
};
process.stdout.write(JSON.stringify(found));
