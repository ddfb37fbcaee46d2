// The thread that takes one page apart and ends. It gets markup and gives text; it has no environment and no connections.

import { parentPort, workerData } from "node:worker_threads";
import { z } from "zod";
import { parsePage } from "./parse-page.ts";

const { html, url } = z.object({ html: z.string(), url: z.string() }).parse(workerData);
parentPort?.postMessage(parsePage(html, url));
