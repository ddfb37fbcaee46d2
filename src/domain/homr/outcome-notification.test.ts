import { expect, test } from "vitest";
import { makeEscalation, makeOutcome } from "../../../test/helpers/make-outcome.ts";
import { notifyOfEnd, notifyOfEscalation } from "./outcome-notification.ts";

test("a question leads to where it can be answered, and has its options for buttons", () => {
  expect(notifyOfEscalation(makeOutcome(), makeEscalation())).toEqual({
    userId: "user_1",
    about: "escalation:escalation_1",
    event: "escalation",
    title: "HOMЯ needs your decision",
    message: "A shop for lamps: Which form?",
    actionUrl: "/outcomes/outcome_1?escalation=escalation_1",
    data: {
      outcome_id: "outcome_1",
      escalation_id: "escalation_1",
      name: "A shop for lamps",
      questions: [
        {
          id: "escalation_1",
          text: "Which form?",
          options: [
            { id: "plain", label: "A plain form" },
            { id: "rich", label: "A rich form" },
          ],
        },
      ],
    },
  });
});

test("a long question is cut in the message, and half a character is never left", () => {
  const { message } = notifyOfEscalation(makeOutcome(), makeEscalation({ question: "😀".repeat(400) }));
  expect(message.length).toBeLessThanOrEqual(300);
  expect(message.isWellFormed()).toBe(true);
});

test("an end says which, and leads to the outcome", () => {
  const achieved = notifyOfEnd(makeOutcome({ status: "achieved" }), "achieved", "Two clean reviews");
  expect(achieved).toMatchObject({
    about: "outcome:outcome_1",
    event: "outcome_achieved",
    message: "A shop for lamps: Two clean reviews",
    actionUrl: "/outcomes/outcome_1",
  });
  expect(notifyOfEnd(makeOutcome(), "stopped", "No money").event).toBe("outcome_stopped");
});
