// Who is signed in, and what this installation is.

import { queryOptions } from "@tanstack/react-query";
import { routes } from "../../../../src/protocol/api.ts";
import { api } from "../api.ts";
import { keys } from "./keys.ts";

export const meQuery = queryOptions({
  queryKey: keys.me,
  queryFn: ({ signal }) => api(routes.identity.me, {}, { signal }),
  staleTime: 60_000,
});

export const instanceQuery = queryOptions({
  queryKey: keys.instance,
  queryFn: ({ signal }) => api(routes.instance.info, {}, { signal }),
  staleTime: 60_000,
});
