// `homework doctor`: looks whether everything Homework needs is there, and says what to do where it is not.

import { type Command, Option } from "commander";
import { Ended } from "../exit-code.ts";
import { serviceAction } from "../invocation.ts";
import { examples } from "../options.ts";
import type { Output } from "../output.ts";
import { oneLine } from "../plain-text.ts";
import type { Finding, Host } from "../ports.ts";

export function addDoctorCommand(program: Command, host: Host): void {
  const doctor = program
    .command("doctor")
    .description("check that everything Homework needs is there, and say how to fix what is missing")
    .summary("look for problems")
    .option("--runs", "instead, check on the live database everything that must be true of every run")
    .addOption(
      new Option("--backup", "instead, make a backup, restore it into a throw-away database and compare").conflicts(
        "runs",
      ),
    )
    .action(
      serviceAction<[{ readonly runs?: true; readonly backup?: true }]>(host, async ({ services, output }, options) => {
        const about = options.runs ? "runs" : options.backup ? "backup" : "installation";
        const findings = await services.doctor(about, host.stop);
        const problems = findings.filter(({ status }) => status === "problem").length;
        output.data({ ok: problems === 0, findings }, () =>
          findings.map((each) => renderFinding(output, each)).join(""),
        );
        output.say(problems === 0 ? "All is well." : `${problems} problem${problems === 1 ? "" : "s"} found.`);
        if (problems > 0) throw new Ended("failed");
      }),
    );
  examples(doctor, ["doctor", "doctor --runs", "doctor --backup", "doctor --json"]);
}

const marks = { ok: ["green", "ok     "], warning: ["yellow", "warning"], problem: ["red", "problem"] } as const;

function renderFinding(output: Output, { name, status, message, fix }: Finding): string {
  const [style, mark] = marks[status];
  const line = `${output.paint(style, mark)}  ${name}: ${oneLine(message)}\n`;
  return fix === null ? line : `${line}         ${oneLine(fix)}\n`;
}
