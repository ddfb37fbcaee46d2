// `homework db …`: looking after the database.

import type { Command } from "commander";
import { serviceAction } from "../invocation.ts";
import { addFamily, examples } from "../options.ts";
import type { Output } from "../output.ts";
import type { DatabaseStatus, Host } from "../ports.ts";

export function addDatabaseCommands(program: Command, host: Host): void {
  const family = addFamily(program, "db", "look after the database");
  addSchema(family, host);
  addCopies(family, host);
  const stop = family
    .command("stop")
    .description("stop the embedded database; the next command that needs it starts it again")
    .action(
      serviceAction<[object]>(host, async ({ services, output }) => {
        const result = await services.database.stop();
        output.data(result, () => "");
        output.say(result.stopped ? "Stopped the database." : "The database was not running.");
      }),
    );
  examples(stop, ["db stop"]);
}

function addSchema(family: Command, host: Host): void {
  const migrate = family
    .command("migrate")
    .description("bring the database to the schema this version needs (serving does it by itself)")
    .action(
      serviceAction<[object]>(host, async ({ services, output }) => {
        const result = await services.database.migrate();
        output.data(result, () => result.applied.map((name) => `${name}\n`).join(""));
        const done = result.applied.length === 0 ? "Nothing to do" : `Applied ${result.applied.length}`;
        output.say(`${done}; the schema has version ${result.schema_version}.`);
      }),
    );
  examples(migrate, ["db migrate"]);

  const status = family
    .command("status")
    .description("show which database is used and whether its schema is up to date")
    .action(
      serviceAction<[object]>(host, async ({ services, output }) => {
        const found = await services.database.status();
        output.data(found, () => renderStatus(output, found));
      }),
    );
  examples(status, ["db status", "db status --json"]);
}

function addCopies(family: Command, host: Host): void {
  type Options = { readonly overwrite?: true };
  const dump = family
    .command("dump <file>")
    .description("write everything in the database to a file")
    .option("--overwrite", "replace the file if it is there")
    .action(
      serviceAction<[string, Options]>(host, async ({ services, output }, file, { overwrite }) => {
        const result = await services.database.dump(file, { overwrite: overwrite === true, signal: host.stop });
        output.data(result, () => `${result.file}\n`);
        output.say(`Wrote ${result.bytes} bytes, schema version ${result.schema_version}.`);
      }),
    );
  examples(dump, ["db dump backup.dump"]);

  const restore = family
    .command("restore <file>")
    .description("fill an empty database from a file that dump wrote")
    .option("--overwrite", "replace everything that is in the database now")
    .action(
      serviceAction<[string, Options]>(host, async ({ services, output }, file, { overwrite }) => {
        const result = await services.database.restore(file, { overwrite: overwrite === true });
        output.data(result, () => "");
        output.say(`Restored from ${result.file}, schema version ${result.schema_version}.`);
      }),
    );
  examples(restore, ["db restore backup.dump --data ./other-folder"]);
}

function renderStatus(output: Output, status: DatabaseStatus): string {
  return output.fields([
    ["Database", status.kind === "embedded" ? "embedded, in the data folder" : "your PostgreSQL"],
    ["Address", status.address],
    ["Running", status.running ? "yes" : "no"],
    ["Version", status.server_version ?? "not known"],
    ["Schema", `${status.schema_version ?? "not known"} (this program knows ${status.schema_latest})`],
    ["To apply", status.pending.length === 0 ? "nothing" : status.pending.join(", ")],
  ]);
}
