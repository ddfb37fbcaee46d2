// `homework user …`: the people of this installation, straight in the database: no server, no signing in.
// Passwords are asked for or read from stdin; they are never arguments, which other users of the machine could see.

import type { Command } from "commander";
import { AppError } from "../../lib/app-error.ts";
import { instanceRoles } from "../../protocol/kinds.ts";
import { pick } from "../find.ts";
import { type ServiceInvocation, serviceAction } from "../invocation.ts";
import { addFamily, choice, examples } from "../options.ts";
import type { Output } from "../output.ts";
import type { Host, People, Person } from "../ports.ts";

type PasswordOptions = { readonly passwordStdin?: true };

export function addUserCommands(program: Command, host: Host): void {
  const family = addFamily(program, "user", "the people of this installation (no server needed)");
  addList(family, host);
  addCreate(family, host);
  addLoginLink(family, host);
  addShutting(family, host);
  addSetPassword(family, host);
}

/** Opens the people's side of the database for one command. */
function peopleAction<Args extends readonly unknown[]>(
  host: Host,
  body: (people: People, given: ServiceInvocation, ...args: Args) => Promise<void>,
) {
  return serviceAction<Args>(host, async (given, ...args) => {
    const people = await given.services.people();
    try {
      await body(people, given, ...args);
    } finally {
      await people.close();
    }
  });
}

function addList(family: Command, host: Host): void {
  const list = family
    .command("list")
    .description("list the people of this installation")
    .action(
      peopleAction<[object]>(host, async (people, { output }) => {
        const items = await people.list();
        output.data({ items }, () => (items.length === 0 ? "" : output.table(items, personColumns(output))));
        if (items.length === 0) output.say("There are no accounts yet.");
      }),
    );
  examples(list, ["user list", "user list --json"]);
}

function addCreate(family: Command, host: Host): void {
  type Options = PasswordOptions & { readonly name?: string; readonly role: "user" | "admin" };
  const create = withPassword(family.command("create <email>").description("create an account for someone"))
    .option("--name <name>", "how they are called; the part before the @ if not given")
    .addOption(choice("--role <role>", "what they may do here", instanceRoles).default("user"))
    .action(
      peopleAction<[string, Options]>(host, async (people, { output }, email, options) => {
        const name = options.name ?? email.split("@")[0] ?? email;
        const password = await readPassword(host, options);
        const person = await people.create({ name, email, password, role: options.role });
        output.done(person, `Created an account for ${person.email}.`);
      }),
    );
  examples(create, ["user create ada@example.com --name Ada --role admin"]);
}

function addLoginLink(family: Command, host: Host): void {
  const link = family
    .command("login-link [user]")
    .description("create a link that signs someone in, once; without USER, the local owner")
    .action(
      peopleAction<[string | undefined, object]>(host, async (people, { output }, ref) => {
        const userId = ref === undefined ? null : (await findPerson(people, ref)).id;
        const made = await people.loginLink(userId);
        output.data(made, () => `${made.url}\n`);
        output.say(`The link works once and expires ${output.ago(made.expires_at)}.`);
        if (!made.is_served)
          output.say(
            `Homework is not running at ${new URL(made.url).origin} yet: homework start. With another --port or --host, make the link once it runs.`,
          );
      }),
    );
  examples(link, ["user login-link", "user login-link ada@example.com"]);
}

function addShutting(family: Command, host: Host): void {
  const ways = [
    {
      verb: "disable",
      disabled: true,
      about: "shut someone's account and end their sessions and keys",
      done: "can no longer sign in; sessions and keys are ended",
    },
    { verb: "enable", disabled: false, about: "open someone's account again", done: "can sign in again" },
  ];
  for (const { verb, disabled, about, done } of ways) {
    const command = family
      .command(`${verb} <user>`)
      .description(about)
      .action(
        peopleAction<[string, object]>(host, async (people, { output }, ref) => {
          const person = await people.setDisabled((await findPerson(people, ref)).id, disabled);
          output.done(person, `${person.email} ${done}.`);
        }),
      );
    examples(command, [`user ${verb} ada@example.com`]);
  }
}

function addSetPassword(family: Command, host: Host): void {
  const set = withPassword(family.command("set-password <user>").description("give someone a new password")).action(
    peopleAction<[string, PasswordOptions]>(host, async (people, { output }, ref, options) => {
      const found = await findPerson(people, ref);
      const person = await people.setPassword(found.id, await readPassword(host, options));
      output.done(person, `${person.email} has a new password; their sessions are ended.`);
    }),
  );
  examples(set, [
    "user set-password ada@example.com",
    "user set-password ada@example.com --password-stdin < secret.txt",
  ]);
}

function withPassword(command: Command): Command {
  return command.option("--password-stdin", "read the password from stdin instead of asking for it");
}

async function readPassword(host: Host, options: PasswordOptions): Promise<string> {
  if (options.passwordStdin) return (await host.terminal.readInput()).replace(/\r?\n$/, "");
  if (!host.terminal.isInteractive)
    throw new AppError("invalid_request", "There is no terminal to ask for the password in: use --password-stdin");
  const password = await host.terminal.askSecret("Password: ");
  const again = await host.terminal.askSecret("Again: ");
  if (password !== again) throw new AppError("invalid_request", "The two passwords are not the same");
  return password;
}

async function findPerson(people: People, ref: string): Promise<Person> {
  return pick("person", ref, await people.list(), ({ id, email, name }) => ({
    id,
    label: `${email} (${name})`,
    names: [email],
  }));
}

function personColumns(output: Output) {
  return [
    { title: "ID", value: ({ id }: Person) => id },
    { title: "E-MAIL", value: ({ email }: Person) => email },
    { title: "ROLE", value: ({ role }: Person) => role },
    { title: "ACCOUNT", value: ({ disabled }: Person) => (disabled ? "disabled" : "open") },
    { title: "MADE", value: ({ created_at }: Person) => output.ago(created_at) },
    { title: "NAME", value: ({ name }: Person) => name, flexible: true },
  ] as const;
}
