// The models of the sample world: the model lab with a script per objective, so that there is a run in every state to look at.

import { startLab } from "../lab/lab.ts";
import { canaryKey, labPrices } from "../lab/lab-models.ts";
import { repairedRun } from "./planner-scenario.ts";
import { type RoleRequest, readRequest, type SlowScript, toReply } from "./role-script.ts";
import { playStory, stuck, withUsage } from "./sample-script.ts";
import { stories } from "./sample-stories.ts";

/** Which script a run has; its objective contains this. */
export const sampleObjectives = {
  completed: "Find a hall for the repair café and compare what is on offer",
  undone: "Write a page about the small hall in the mill, and what it costs",
  stopped: "List every workshop in the county that repairs bicycles, with opening hours",
  question: "Choose the colours of the new office and order samples",
  plan: "Prepare the spring newsletter, with three articles and a calendar",
  writes: "Tidy up the tasks of the move and add what is missing",
  canceled: "Compare coffee machines for forty people",
  failed: "Read the two thousand pages of the building file and sum them up",
  running: "Research how five other towns run their repair cafés",
  runningToo: "Write the handbook for new volunteers",
  queued: "Draft the letter to the landlord about the loading bay",
} as const;
export type SampleState = keyof typeof sampleObjectives;

/** Looks the hall up, then says what was found. */
const talkAboutHall: SlowScript = ({ turn }) =>
  turn === 0
    ? { toolCalls: [{ name: "search", args: { query: "hall" } }] }
    : "The hall has **twenty seats** and is free on Saturdays.\n\n- Rent: 40 € per evening\n- Booking: with the town, two weeks ahead";

function scriptFor({ role, request }: RoleRequest): SlowScript {
  const said = [request.system, ...request.messages.map(({ text }) => text)].join("\n");
  const states = Object.keys(sampleObjectives) as SampleState[];
  const found = states.find((state) => said.includes(sampleObjectives[state]));
  if (found) return stories[found] ? playStory(stories[found]) : stuck;
  if (role === "chat") return talkAboutHall;
  // A repair is not told what the run is about; other planners are those of the hundred runs, which only have to be there.
  return role === "planner" ? stuck : repairedRun;
}

export type SampleLab = { readonly settings: Readonly<Record<string, string>>; readonly close: () => Promise<void> };

/** Settings for the server that is to be filled; close it after the server. */
export async function startSampleLab(): Promise<SampleLab> {
  const lab = await startLab({
    prices: labPrices,
    script: async (request) => {
      const asked = readRequest(request);
      return withUsage(toReply(await scriptFor(asked)(asked), asked), asked);
    },
  });
  return {
    settings: {
      HOMEWORK_OPENROUTER_API_KEY: canaryKey,
      HOMEWORK_OPENROUTER_BASE_URL: lab.baseUrl("openrouter"),
      HOMEWORK_MODEL: "openrouter/anthropic/claude-sonnet-5.5",
      HOMEWORK_MAX_CONCURRENT_RUNS_PER_USER: "2",
      HOMEWORK_WORKER_CONCURRENCY: "8",
    },
    close: lab.close,
  };
}
