// `homework search QUERY`: full-text search over everything one may see.

import type { Command } from "commander";
import { type OutcomeHit, routes, type SearchHit } from "../../protocol/api.ts";
import { entityKinds } from "../../protocol/kinds.ts";
import { findProject } from "../find.ts";
import { apiAction } from "../invocation.ts";
import { choice, examples, flagOf, wholeNumber } from "../options.ts";
import type { Output } from "../output.ts";
import { oneLine } from "../plain-text.ts";
import type { Host } from "../ports.ts";

const searchKinds = ["project", ...entityKinds, "outcome", "escalation", "observation"] as const;

type Options = {
  readonly project?: string;
  readonly kind?: (typeof searchKinds)[number];
  readonly limit: number;
  readonly all?: true;
};

export function addSearchCommand(program: Command, host: Host): void {
  const search = program
    .command("search <query...>")
    .description("search everything you may see, best match first")
    .summary("search everything you may see")
    .option("-p, --project <project>", "only in this project (id, start of the id, or name)")
    .addOption(choice("--kind <kind>", "only things of this kind", searchKinds))
    .option("-n, --limit <count>", "how many to show", wholeNumber(1, 50), 20)
    .option("-a, --all", "also the working notes of runs")
    .action(
      apiAction<[string[], Options]>(host, async ({ api, output }, words, { project, kind, limit, all }) => {
        const found = project === undefined ? null : await findProject(api, project, { deleted: false });
        const query = {
          q: words.join(" "),
          limit,
          include_working_notes: flagOf(all),
          project_id: found?.id,
          kind,
        };
        const answer = await api(routes.projects.search, { query });
        const hits = [...answer.items, ...answer.outcomes];
        output.data(answer, () => hits.map((hit) => renderHit(output, hit)).join("\n"));
        if (hits.length === 0) output.say("Nothing found.");
      }),
    );
  examples(search, ["search tiles", `search "floor plan" -p Kitchen --kind document`]);
}

function renderHit(output: Output, hit: SearchHit | OutcomeHit): string {
  const place = "project_name" in hit ? hit.project_name : hit.outcome_name;
  const snippet = hit.snippet.map(({ text, match }) => (match ? output.paint("yellow", oneText(text)) : oneText(text)));
  const about = output.paint("dim", `${hit.kind} ${hit.id} in ${oneLine(place)}, ${output.ago(hit.updated_at)}`);
  const line = snippet.join("").trim();
  return `${output.paint("bold", oneLine(hit.title))}\n  ${about}\n${line === "" ? "" : `  ${line}\n`}`;
}

/** Like `oneLine`, but blanks at the ends stay: pieces of a snippet are joined. */
function oneText(text: string): string {
  const inner = oneLine(text);
  return `${/^\s/.test(text) ? " " : ""}${inner}${inner !== "" && /\s$/.test(text) ? " " : ""}`;
}
