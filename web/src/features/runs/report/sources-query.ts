// Everything a finished run read on the web, for its result and for what is taken away of it.

import { queryOptions } from "@tanstack/react-query";
import { readSources } from "../../../../../src/protocol/run-sources.ts";
import { api } from "../../../lib/api.ts";
import { keys } from "../../../lib/data/keys.ts";

export const allSourcesQuery = (runId: string) =>
  queryOptions({
    queryKey: [...keys.run(runId), "all-sources"],
    queryFn: () => readSources(api, runId),
  });
