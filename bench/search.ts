// Searching 100,000 documents over HTTP, compared with looking at every row, on the same server.

import { routes } from "../src/protocol/api.ts";
import type { Served } from "../test/helpers/served.ts";
import { msText, ratio, report, timed } from "./figures.ts";
import { asSuperuser, fill } from "./fill.ts";

const documents = 100_000;
const rounds = 40;

export async function benchSearch({ api }: Served, data: string): Promise<void> {
  const project = await api(routes.projects.create, { body: { name: "Many documents" } });
  await asSuperuser(data, (admin) => fill(admin, "onto_documents", project.id, documents));
  const search = (q: string) => timed(rounds, () => api(routes.projects.search, { query: { q } }));
  const rare = await search("quokka");
  const common = await search("harbour");
  const two = await search("harbour lantern");
  const typing = await search("quok");
  const everyRow = await asSuperuser(data, (admin) =>
    timed(3, () =>
      admin.query("select id from onto_documents where project_id = $1 and content ilike '%quokka%' limit 20", [
        project.id,
      ]),
    ),
  );
  report("search over 100,000 documents", {
    "a rare word": msText(rare),
    "a word in every document": msText(common),
    "two common words": msText(two),
    "the beginning of a word": msText(typing),
    "every row, without the index": msText(everyRow),
    "every row : rare word": ratio(everyRow.p50, rare.p50),
  });
}
