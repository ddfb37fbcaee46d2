// `run-agent bus …`: the messages of a task or a project, as options; what they do is in `../actions/bus-*.ts`.

import type { Command } from "commander";
import { addFamily, choice, examples, wholeNumber } from "../../options.ts";
import type { AnswerOptions } from "../actions/answer.ts";
import type { PostOptions } from "../actions/bus-post.ts";
import type { ReadOptions, SinceOptions, WaitOptions } from "../actions/bus-read.ts";
import { agentAction } from "../invocation.ts";
import { durationOption, idsOption } from "../options.ts";
import type { AgentHost } from "../ports.ts";

export function addBusCommands(program: Command, host: AgentHost): void {
  const bus = addFamily(program, "bus", "post and read messages: the way in which agents and people talk");
  addPost(bus, host);
  addPoll(bus, host);
  addRead(bus, host);
  addStream(bus, host);

  const discover = bus
    .command("discover")
    .description("print which bus a folder belongs to, looking upwards from it")
    .option("--from <folder>", "where to begin (default: the working folder)")
    .action(
      agentAction<[{ readonly from?: string }]>(
        host,
        async () => (await import("../actions/bus-read.ts")).showNearestBus,
      ),
    );
  examples(discover, ["bus discover", "bus discover --from ~/run-agent/garden"]);
}

export function addAnswerCommand(program: Command, host: AgentHost): void {
  const answer = program
    .command("answer [taskAndAnswer...]")
    .usage('[options] [task] "<answer>"')
    .description(
      "answer the question of an agent; without a task, the one whose agent asks, if there is only one; without an answer it is read from stdin",
    )
    .summary("answer the question of an agent")
    .option("--question <id>", "which question, where a task has several")
    .option("-f, --file <file>", "read the answer from a file; - is stdin")
    .action(
      agentAction<[readonly string[], AnswerOptions]>(host, async () => (await import("../actions/answer.ts")).answer),
    );
  examples(answer, [
    `answer "The left one"`,
    `answer water "The left one"`,
    "answer -t water --question MSG-20261116-120000-000000001-PID04711-0001 --file answer.md",
  ]);
}

const scopeOption = () =>
  choice("--scope <scope>", "the bus of the task or of its project (default: the task's, if there is one)", [
    "task",
    "project",
  ]);

function addPost(bus: Command, host: AgentHost): void {
  const post = bus
    .command("post [message...]")
    .description("post a message and print its id; without a message it is read from stdin")
    .summary("post a message")
    .option(
      "--type <type>",
      "type of the message, such as FACT, QUESTION, ANSWER, PROGRESS (default: USER, in an agent's run INFO)",
    )
    .option("--message <text>", "the message, instead of arguments")
    .option("-f, --file <file>", "read the message from a file; - is stdin")
    .option("--parents <ids>", "ids of the messages that this one replies to, separated by commas", idsOption)
    .option("--run <run>", "id of the run that says it (default: the run this command is called from)")
    .addOption(scopeOption())
    .action(
      agentAction<[readonly string[], PostOptions]>(
        host,
        async () => (await import("../actions/bus-post.ts")).postMessage,
      ),
    );
  examples(post, [
    `bus post -p garden -t water "The pump is broken"`,
    `bus post --type QUESTION "Which tap may I use?"`,
    "bus post --type ANSWER --parents MSG-20261116-120000-000000001-PID04711-0001 --file answer.md",
    "bus post --scope project --type FACT < notes.md",
  ]);
}

const withSince = (command: Command): Command =>
  command
    .option("--since <time>", "only messages later than this time (ISO 8601)")
    .option("--since-id <id>", "only messages after this one")
    .option("--filter <filter>", "types such as QUESTION,ANSWER or RUN_*, or a regular expression over TYPE: message")
    .addOption(scopeOption());

function addPoll(bus: Command, host: AgentHost): void {
  const poll = withSince(bus.command("poll"))
    .description(
      "print messages, and with --wait, wait until there is one; an agent's run is shown each message of its task once for each filter, unless it says since when",
    )
    .summary("print messages, in an agent's run the new ones, or wait for one")
    .option("-w, --wait", "wait for the first message that fits")
    .option("--timeout <duration>", "give up waiting after this long, such as 5m, with exit code 1", durationOption)
    .action(agentAction<[WaitOptions]>(host, async () => (await import("../actions/bus-read.ts")).pollBus));
  examples(poll, [
    "bus poll --since-id MSG-20261116-120000-000000001-PID04711-0001",
    "bus poll --wait --filter ANSWER --timeout 10m",
  ]);
}

function addRead(bus: Command, host: AgentHost): void {
  const read = bus
    .command("read")
    .description("print the last messages")
    .option("--tail <count>", "how many", wholeNumber(1, 100_000), 20)
    .option("-f, --follow", "go on with the messages that come, until Ctrl-C")
    .option("--filter <filter>", "types such as QUESTION,ANSWER or RUN_*, or a regular expression over TYPE: message")
    .addOption(scopeOption())
    .action(agentAction<[ReadOptions]>(host, async () => (await import("../actions/bus-read.ts")).readLast));
  examples(read, ["bus read", "bus read -p garden --tail 5 --json", "bus read -t water --follow"]);
}

function addStream(bus: Command, host: AgentHost): void {
  const stream = withSince(bus.command("stream"))
    .description("print messages as they come, until Ctrl-C; with --json one line each")
    .summary("print messages as they come")
    .action(agentAction<[SinceOptions]>(host, async () => (await import("../actions/bus-read.ts")).streamBus));
  examples(stream, ["bus stream -t water", "bus stream -p garden --filter QUESTION --json"]);
}
