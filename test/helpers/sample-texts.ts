// The pages that sample runs write, and what one of them asks.

export const coloursQuestion = {
  text: "Which of these shall the meeting rooms have? The carpet is **grey**, and the tables are oak.",
  options: ["Warm white", "Sage green", "Something else"],
};

export const hallPage = `## Recommendation

Take the **parish hall** on the first and third Saturday of each month. It costs nothing, has power for twenty places, and the tram
stops in front of the door every ten minutes.

## Comparison

| | Parish hall | River Street Hall |
|---|---|---|
| Rent for a Saturday | none, clean the floor afterwards | 60 € |
| Seats | 25 | 40 |
| Power | twenty places | twenty places |
| Kitchen | bring cups and milk | included |
| Free | first and third Saturday | every Saturday |

## Before the first day

- Liability insurance costs about 90 € a year.
- A permit is not needed for fewer than 200 visitors.
- Tools stay in a locked cupboard; its key hangs at the office on the first floor.
`;

export const millPage = `## Prices

The small hall costs **45 €** for an evening and **80 €** for a day. A deposit of 100 € is paid back when the keys are returned.
The kitchen is included. Cleaning is not: it costs 30 €, or an hour of your own time.

## The room

Thirty seats, six tables and a projector. Twelve steps lead up to the door, and there is no lift.
`;

export const workshopsPage = `## North

| Workshop | Town | Open |
|---|---|---|
| Cog and Wheel | Northbridge | Tue to Sat, 9 to 18 |
| Pedal Works | Northbridge | Mon to Fri, 10 to 17 |
| Harbour Bikes | Saltmouth | Wed to Sun, 10 to 18 |
| Spoke & Chain | Saltmouth | not known yet |
`;

export const missingPage = `## Added

- Hand back the keys of the old office: it was in the contract, and in no task.
- Tell the insurance about the new address before the first weekend of the move.

## Left as it was

Five tasks are still right. The one about the lift waits for an answer of the landlord, and nothing can be done about it before.
`;
