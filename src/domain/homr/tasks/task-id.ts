// Which task of an outcome; runs know this of their task and no more.

import type { Brand } from "../../../lib/brand.ts";

export type TaskId = Brand<string, "TaskId">;
