// Which sides of an objective are looked into, and which of them together. The same objective gives the same choice, so
// planner and executors agree without talking.

import { buildFacets } from "./facets/build-facets.ts";
import { eventFacets } from "./facets/event-facets.ts";
import type { Facet, FacetTask } from "./facets/facet.ts";
import { fixFacets } from "./facets/fix-facets.ts";
import { learnFacets } from "./facets/learn-facets.ts";
import { candidateFacet, partFacet, particularFacet } from "./facets/part-facets.ts";
import { projectFacets } from "./facets/project-facets.ts";
import { researchFacets } from "./facets/research-facets.ts";
import { writeFacets } from "./facets/write-facets.ts";
import type { Reading } from "./read-objective.ts";
import type { Family } from "./read-verbs.ts";

const byFamily: Readonly<Record<Family, readonly Facet[]>> = {
  event: eventFacets,
  project: projectFacets,
  build: buildFacets,
  research: researchFacets,
  write: writeFacets,
  learn: learnFacets,
  fix: fixFacets,
};

/** Seven sections are as much as anyone reads; what the objective names itself comes before what we would add. */
const facetsMax = 7;
const partsMax = 5;
/** Executors work side by side; three is what the engine starts at once. */
const groupsCount = 3;
/** What fits into one answer of a planner. */
const tasksMax = 8;

export function facetsOf({ family, parts, domains, isChoice }: Reading): readonly Facet[] {
  const general = isChoice ? choiceFacets(parts) : partsFacets(byFamily[family], parts);
  const distinct = [...new Map(general.map((facet) => [facet.title.toLowerCase(), facet])).values()];
  const particular = particularFacet(domains);
  return [...distinct.slice(0, facetsMax), ...(particular ? [particular] : [])];
}

function partsFacets([first, ...others]: readonly Facet[], parts: readonly string[]): readonly Facet[] {
  const named = parts.slice(0, partsMax).map(partFacet);
  return first ? [first, ...named, ...others] : named;
}

/** The candidates are there; what is needed are criteria before them, and a comparison after. */
function choiceFacets(parts: readonly string[]): readonly Facet[] {
  const frame = (title: string) => researchFacets.filter((facet) => facet.title === title);
  const candidates = parts.slice(0, partsMax - 1).map(candidateFacet);
  return [...frame("Criteria"), ...candidates, ...frame("Comparison"), ...frame("Conclusion"), ...frame("Sources")];
}

/** In order, as even as can be. */
export function groupsOf(facets: readonly Facet[]): readonly (readonly Facet[])[] {
  const groups = Array.from({ length: groupsCount }, (_, n) => {
    const from = Math.ceil((facets.length * n) / groupsCount);
    return facets.slice(from, Math.ceil((facets.length * (n + 1)) / groupsCount));
  });
  return groups.filter((group) => group.length > 0);
}

/** One for each side and, where there is room, one for each field it touches. */
export function tasksOf(reading: Reading): readonly FacetTask[] {
  const general = facetsOf({ ...reading, domains: [] }).map(({ task }) => task);
  const particular = reading.domains.map(({ task }) => task);
  const room = Math.max(1, tasksMax - general.length);
  const chosen = [...general.slice(0, tasksMax - Math.min(room, particular.length)), ...particular.slice(0, room)];
  return chosen.toSorted((a, b) => a.priority - b.priority);
}

/** By its heading: the objective's own facets first, then any we know, then one made of the heading itself. */
export function facetCalled(title: string, reading: Reading): Facet {
  const is = (facet: Facet) => facet.title.toLowerCase() === title.trim().toLowerCase();
  const all = [...facetsOf(reading), ...Object.values(byFamily).flat()];
  return all.find(is) ?? partFacet(title.trim().slice(0, 80), 0);
}

/** A heading in the middle of a sentence; names keep the capitals they were written with. */
export function spoken(title: string, { parts }: Reading): string {
  const named = parts.find((part) => part.toLowerCase() === title.toLowerCase());
  return named ?? `${title.slice(0, 1).toLowerCase()}${title.slice(1)}`;
}
