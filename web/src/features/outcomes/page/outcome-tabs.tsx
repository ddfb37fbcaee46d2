// The pages of one outcome.

import { VisuallyHidden } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { TabLinks } from "../../../ui/tab-links.tsx";
import { useOutcome } from "../outcome-context.tsx";
import { countQuestions } from "../outcome-words.ts";

const tabs = [
  { to: "/outcomes/$outcomeId", label: "Overview" },
  { to: "/outcomes/$outcomeId/tasks", label: "Tasks" },
  { to: "/outcomes/$outcomeId/approach", label: "Approach" },
] as const;

export function OutcomeTabs() {
  const outcome = useOutcome();
  const questions = countQuestions(outcome);
  return (
    <TabLinks label="Pages of this outcome">
      {tabs.map(({ to, label }) => (
        <Link
          key={to}
          to={to}
          params={{ outcomeId: outcome.id }}
          className="tab-link"
          activeOptions={{ exact: true, includeSearch: false }}
          activeProps={{}}
        >
          {label}
          {label === "Overview" && questions > 0 ? (
            <>
              {" "}
              <span className="outcome-count">
                {questions}
                <VisuallyHidden> {questions === 1 ? "question" : "questions"}</VisuallyHidden>
              </span>
            </>
          ) : null}
        </Link>
      ))}
    </TabLinks>
  );
}
