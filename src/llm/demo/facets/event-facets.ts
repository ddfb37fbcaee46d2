// The sides of something that people come together for: a launch, a party, a fair, an opening.

import type { Facet } from "./facet.ts";

export const eventFacets: readonly Facet[] = [
  {
    title: "People and roles",
    leads: [
      "Before anything else, {topic} needs a handful of people who each own one thing and know it.",
      "Most of what goes wrong with {topic} will go wrong between people, so the roles come first.",
    ],
    questions: [
      "Who decides when two good ideas collide, and by when do they decide?",
      "Which skills are needed on the day that nobody in the group has yet?",
      "How many hours a week can each person really give?",
      "Who steps in when the person in charge falls ill?",
    ],
    options: [
      ["A core team of three to five", "quick decisions and clear owners, but the load sits on few shoulders"],
      [
        "An open circle of helpers",
        "spreads the load and brings ideas, but needs someone who keeps the threads together",
      ],
      ["A partner organisation", "lends its rooms, members and reputation, and will want a say in return"],
    ],
    steps: [
      "Write down the roles that {topic} cannot do without: lead, money, room, helpers, communication.",
      "Ask one person for each role in a personal conversation, not in a group message.",
      "Agree on one weekly slot and one place where decisions are written down.",
    ],
    risks: [
      ["One person quietly ends up doing everything", "every task gets a name and a second name"],
      [
        "Volunteers promise early and drop out late",
        "ask for a firm yes two weeks before, and keep a short reserve list",
      ],
    ],
    checklist: [
      "Every role has a name and a deputy",
      "Contact details are in one list that the team can open",
      "It is written down who may spend money and who may speak to the press",
    ],
    task: {
      title: "Fill the five core roles",
      description:
        "Name a lead and someone for money, room, helpers and communication for {topic}. Done when each role has a person, a deputy and a phone number in one shared list.",
      priority: 1,
    },
  },
  {
    title: "Venue and dates",
    leads: [
      "Place and date limit each other, so for {topic} they are best settled together.",
      "A date makes {topic} real: until there is one, nobody can promise anything.",
    ],
    questions: [
      "How many people have to fit in at the busiest moment, and how many can sit?",
      "Is the place reachable without a car, step-free, and heated when it has to be?",
      "Which holidays, school breaks or other events collide with the date?",
      "What does the place allow: food, noise, power, opening late?",
    ],
    options: [
      ["A public room (library, parish hall, school)", "cheap and well known, but with fixed hours and rules"],
      ["A rented room", "free to shape, but the deposit has to be paid early"],
      ["Outdoors with a fallback", "visible and friendly, but it needs a plan for rain and a permit"],
    ],
    steps: [
      "Shortlist three places and see each at the hour when it would be used.",
      "Hold two dates in parallel until the venue has confirmed one in writing.",
      "Ask what time the keys come and when the room has to be empty again.",
    ],
    risks: [
      ["The venue cancels late", "keep the second choice warm until the contract is signed"],
      ["The room is too small or too large", "count the expected guests from three independent guesses"],
    ],
    checklist: [
      "Capacity, access, toilets and power were seen, not assumed",
      "The date is confirmed in writing",
      "Setting up and clearing away are part of the booking",
    ],
    task: {
      title: "Visit three venues and hold two dates",
      description:
        "See three possible places for {topic} and compare size, access, power, price and rules. Done when one is booked in writing and one is kept as a fallback.",
      priority: 1,
    },
  },
  {
    title: "Equipment and budget",
    leads: [
      "What {topic} needs falls into three piles: already there, can be borrowed, has to be bought.",
      "Money for {topic} is easier to find once there is a list with a number behind every line.",
    ],
    questions: [
      "Which things are indispensable on the first day, and which can wait?",
      "What can be borrowed for nothing, and who brings it back?",
      "Where does the money come from: fees, donations, a grant, a sponsor, your own pocket?",
      "What would be cut first if only half of the money came in?",
    ],
    options: [
      ["Start with borrowed equipment", "almost no cost, but more carrying and more promises to keep track of"],
      ["Buy a basic kit", "always at hand and the same every time, but it needs money and storage"],
      ["Ask for gifts in kind", "local shops often give things more easily than cash"],
    ],
    steps: [
      "Make one table: item, how many, source, cost, who brings it.",
      "Add a tenth of the sum for what was forgotten.",
      "Settle who keeps the receipts and how they are paid back.",
    ],
    risks: [
      ["Small purchases add up unseen", "one person approves everything above an agreed sum"],
      ["Promised funds arrive late", "plan the first day so that it works without them"],
    ],
    checklist: [
      "Every line of the budget has a source",
      "Borrowed things carry their owner's name",
      "There is a reserve of ten per cent",
    ],
    task: {
      title: "Draw up the equipment list and a one-page budget",
      description:
        "List everything {topic} needs with quantity, source and cost; mark what can be borrowed. Done when the sum is covered and ten per cent are kept in reserve.",
      priority: 2,
    },
  },
  {
    title: "Outreach",
    leads: [
      "People come to {topic} because someone they trust told them, so outreach starts with a list of such people.",
      "One clear sentence about {topic} does more than ten posters; the posters then repeat it.",
    ],
    questions: [
      "Who should be there, and where do these people already look for news?",
      "Which one sentence says what it is, for whom, when and where?",
      "Which neighbours, groups or papers would pass it on without being paid?",
      "How do people say that they are coming, and who answers their questions?",
    ],
    options: [
      ["Personal invitations", "the best answer rate by far, and limited by your time"],
      ["Posters and local papers", "reach people who are not online, but need two to three weeks of lead"],
      ["Social media and mailing lists", "quick and free, and easily overlooked without a picture"],
    ],
    steps: [
      "Write the sentence, try it on three people and keep the version they repeat correctly.",
      "Set up one page or address where all the facts stand and stay up to date.",
      "Invite in three waves: friends and helpers, partners, the public.",
    ],
    risks: [
      ["Nobody knows about it", "begin four weeks ahead and count the replies every week"],
      ["Far too many come", "say on the page what happens when it is full"],
    ],
    checklist: [
      "Date, place, cost and contact stand on everything that is handed out",
      "The page works on a phone",
      "Someone answers messages every day in the last two weeks",
    ],
    task: {
      title: "Write the invitation and send the first wave",
      description:
        "Find the one sentence that explains {topic}, put it on a page with all the facts and invite the first twenty people personally. Done when ten have answered.",
      priority: 2,
    },
  },
  {
    title: "Rules and safety",
    leads: [
      "A few permissions and precautions for {topic} take weeks to get and minutes to forget, so they are asked for early.",
      "Safety at {topic} is mostly preparation: someone has thought about it, and it is written on one page.",
    ],
    questions: [
      "Does it need a permit, a notice to the authorities or a licence for food, drink or music?",
      "Who is liable when something breaks or someone gets hurt, and does the insurance cover helpers?",
      "What may be photographed, and what is done with people's names and addresses?",
      "Who can give first aid, and where is the nearest help?",
    ],
    options: [
      ["Use the host's insurance and rules", "least work, if they agree in writing"],
      ["Take out a one-off policy", "clear cover for a known price"],
      ["Rely on private liability insurance", "costs nothing, but often does not cover public events"],
    ],
    steps: [
      "Call the local authority with a list of five questions and note name, date and answer.",
      "Ask an insurer for an offer in writing.",
      "Write one page: emergency numbers, exits, first aid, who decides to stop.",
    ],
    risks: [
      ["A permit is missing on the day", "ask six weeks ahead and keep the answer with you"],
      ["Someone is hurt and nobody knows what to do", "name one first-aider and brief everybody for five minutes"],
    ],
    checklist: [
      "Permits and insurance are there in writing",
      "First-aid kit, extinguisher and exits are marked",
      "It is settled how personal data are kept and deleted",
    ],
    task: {
      title: "Clear permits and insurance",
      description:
        "Ask the authority and one insurer what {topic} requires, and file the written answers. Done when every requirement has an owner and a date.",
      priority: 2,
    },
  },
  {
    title: "The day itself",
    leads: [
      "For the guests, {topic} is a few hours; a timetable by the quarter hour keeps them easy.",
      "On the day nobody should have to ask what comes next: {topic} runs from one printed sheet.",
    ],
    questions: [
      "What does a guest see, hear and get in the first five minutes?",
      "Who welcomes people, who looks after problems, and who is free to do nothing but help out?",
      "What happens when it starts late, rains, or the power fails?",
      "How do people notice that it is over, and what do they take home?",
    ],
    options: [
      ["A fixed programme", "clear for guests and press, but delays travel through the whole day"],
      ["Open hours with a few fixed points", "relaxed and forgiving, but it needs a visible host"],
      ["A quiet first run for friends", "finds the mistakes before the public does"],
    ],
    steps: [
      "Write the sheet: time, what, who, where, with set-up and clearing away on it.",
      "Walk through it on site with everyone who has a role.",
      "Pack one box with tape, pens, cash float, chargers, bin bags and the printed sheet.",
    ],
    risks: [
      ["Everything waits for one person", "the sheet names who starts without them"],
      ["A queue at the door", "a second person for the welcome in the first hour"],
    ],
    checklist: [
      "Everyone with a role has the sheet",
      "There was one walk-through on site",
      "Signs lead from the street to the room and to the toilets",
    ],
    task: {
      title: "Write the run sheet and walk through it on site",
      description:
        "Put every quarter hour of {topic} on one page, with names, from set-up to clearing away. Done when everyone with a role has walked through it once.",
      priority: 3,
    },
  },
  {
    title: "Afterwards",
    leads: [
      "What is left of {topic} depends on the week after it: thanks, numbers, lessons, and a next date.",
      "The end of {topic} is the best moment to win helpers for the next time.",
    ],
    questions: [
      "How will you know whether it was worth it: guests, money, new faces, a feeling?",
      "Who thanks whom, and how soon?",
      "Which two things should be different next time?",
      "What is published, where, and who agrees to the pictures?",
    ],
    options: [
      ["A round of talk right after clearing up", "fresh impressions, tired people: ten minutes are enough"],
      ["A short survey two days later", "honest numbers, if it has no more than three questions"],
      ["A review meeting after a week", "time for the accounts and for deciding what comes next"],
    ],
    steps: [
      "Choose three numbers before the day and count them on the day.",
      "Send thanks within two days, with one picture and one number.",
      "Close the accounts and write half a page of lessons.",
    ],
    risks: [
      ["The energy is gone and nothing follows", "announce the next date at the end, if there is to be one"],
      ["Things that were lent do not come back", "the list of owners is ticked off before the lights go out"],
    ],
    checklist: [
      "Helpers, hosts and donors were thanked",
      "The accounts are closed",
      "The lessons are written where the next team will look",
    ],
    task: {
      title: "Prepare thanks, numbers and a review",
      description:
        "Decide which three numbers show whether {topic} worked, draft the thank-you note and set the date of the review. Done when all three are in the calendar.",
      priority: 4,
    },
  },
];
