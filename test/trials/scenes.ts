// What stood in the project of each run that was answered by hand, what was asked for, and what the user said on the way. Recordings
// beside it hold what was sent and answered.

export type Scene = {
  readonly name: string;
  readonly objective: string;
  readonly documents: readonly (readonly [title: string, content: string])[];
  readonly tasks?: readonly string[];
  readonly writeMode?: "autopilot" | "approve_plan";
  readonly maxIterations?: number;
  /** Said to the run before the request of this number is answered. */
  readonly guidance?: { readonly before: string; readonly text: string };
  /** To its questions, one after the other. */
  readonly answers?: readonly string[];
};

const roof: Scene = {
  name: "paper",
  objective:
    "Prepare a paper for our members: what should we do with the club house roof, what does each way cost us, and what do you recommend? With a small table.",
  documents: [
    [
      "Inspection report",
      "# Inspection of the roof, 8 October\n\nFlat roof 210 m2, bitumen from 1987, two leaks over the kitchen, insulation wet on about 30 m2. Load reserve of the structure 0.35 kN/m2 (engineer Weiss, by telephone, no paper yet). Parapet 40 cm. Drainage: two outlets, one blocked each autumn.",
    ],
    [
      "Ideas of the members",
      "# Ideas\n\n- Green roof! (Petra) 'weighs almost nothing' - extensive green roofs 0.8 to 1.2 kN/m2 wet according to the leaflet she brought.\n- Solar on top (Jon): 24 modules, 10 kWp, 0.15 kN/m2 with ballast; would pay for itself in 9 years he says; the roof has to last 25 years then.\n- Just repair the two leaks (treasurer): offer Kern roofing 4,200 EUR, guarantee 2 years.\n- New bitumen with insulation: offer Kern 38,500 EUR, offer Dachwerk 34,900 EUR without disposal of the wet insulation (about 2,800 EUR).",
    ],
    [
      "Treasurer's mail",
      "# Mail of 2 November\n\nWe have 21,000 EUR in reserve, 12,000 of that is promised for the pitch. The town gives 40 % for energy renovation up to 15,000 EUR, application until 15 January, only for work not yet begun. Members voted in 2024 for at most 30 EUR extra fee a year (260 members).",
    ],
  ],
  guidance: {
    before: "0002",
    text: "One thing I forgot: the roof must also carry the new ventilation unit (180 kg, on 2 m2) that comes in May. Please take it into account. And write it so that members without technical knowledge understand it, one page at most.",
  },
};

const book: Scene = {
  name: "honest",
  objective: "Write the five chapters of our local history book, each about 300 words, from the material we have",
  documents: [
    [
      "Chapter list",
      "# Our book: 1900 to today\n\n1. The mill (1900-1914): material in the box at Mrs Adler's, not scanned\n2. The school (1920-1938): class lists and two letters, see document School\n3. The flood of 1954: newspaper cuttings at the town archive, appointment needed\n4. The new estate (1968-1980): interview with Mr Reuter done, see document Interview\n5. Today: nothing yet",
    ],
    [
      "School",
      "# School\n\nClass list 1924: 31 pupils, teacher K. Brandt. Class list 1931: 27 pupils, teacher K. Brandt and Miss Ohm. Letter of Miss Ohm, 3 May 1933: 'The stove in the upper room smokes so that we teach with open windows in March.' Letter 12 Nov 1937: 'Of the 27 only 19 came this week; the others are at the potato harvest.'",
    ],
    [
      "Interview",
      "# Interview with Mr Reuter, 14 September (notes)\n\nMoved in in June 1969 as the fourth family, roads were mud until 1971. The cooperative built 64 houses. The women founded the kindergarten in the empty shop in 1972 because the town said 'in five years'. First street party August 1973, the beer ran out at eight. Rent 1969: 187 marks. The pond was filled up in 1976, nobody was asked.",
    ],
  ],
  maxIterations: 2,
  answers: [
    "I will bring the material for the other chapters next month, they must be in the book. For now do what you can: prepare a page of questions for Mrs Adler and for the archive, and leave the book as unfinished.",
  ],
};

const festival: Scene = {
  name: "tasks",
  objective:
    "Turn the notes of the planning evening into tasks with due dates and owners, so that nothing is forgotten",
  documents: [
    [
      "Notes of the planning evening",
      "# Planning evening, 12 November\n\npresent: Ana, Bo, Cem, Dora. festival is sat 5 june next year\n- permits!! Ana calls the town hall, closing the street needs 3 months notice -> so must be filed by early march at the latest, better january\n- stage: Bo knows someone (Luis), ask whether 12 m2 is free, costs? until christmas\n- music: two bands wanted, Dora asks 'Die Linden' and the school band, answer by end of january\n- Cem: electricity plan, needs list from stage + food stalls, in april\n- food stalls: we said 6 max, invite list from last year (Dora has it), letters out in february\n- insurance - nobody volunteered. someone must ask the association, before the permits are filed because town hall wants the number\n- Ana: wait, did we not say 12 june? -> check school calendar, decided by next meeting 3 december\n- waste bins order 2 weeks before\n- leaflets: Bo, draft in april, print in may\n- money: last year 2,300 left. treasurer (Eva, absent) to be asked for account",
    ],
  ],
  tasks: ["Book the hall for the winter party"],
};

const garden: Scene = {
  name: "change",
  objective: "Make a plan for the first garden year on plot 14",
  documents: [
    [
      "Plot facts",
      "# Plot 14\n\n200 m2, loam, slightly acid (pH 6.2), shed 6 m2, water tap shared, compost present. Family of four, two children. Time: about 5 hours a week from March to October. Wishes collected: strawberries, potatoes, flowers for bees, a place to sit, a swing. Rules of the association: at least a third for vegetables and fruit, no trees above 4 m, quiet on Sundays.",
    ],
  ],
  writeMode: "approve_plan",
  answers: [
    "Please change two things: no calendar by month but four sections by season (Winter, Spring, Summer, Autumn), and keep it to one page, 300 to 400 words. And leave the swing out, the children are too old for it now.",
    "approve",
  ],
};

const invitation: Scene = {
  name: "email",
  objective: "Schreibe eine kurze Einladung per E-Mail an die Nachbarn zum Hoffest",
  documents: [
    [
      "Party notes",
      "# Courtyard party\n\nSaturday in two weeks, from three o'clock, in the courtyard. Everyone brings something for the table. Lights: Tom. The Khans on the second floor speak little German but good English; the others German. Rain: in the bicycle cellar. Music ends at ten.",
    ],
  ],
};

const school: Scene = {
  name: "school",
  objective:
    "Write a paper of at most two pages for the school conference: which way should we take with the school garden, what does it cost and who waters in the holidays? With a table of the ways.",
  documents: [
    [
      "Notes of the parents' evening",
      "# Parents' evening, 5 November\n\n- the strip behind the gym, 18 x 6 m, full sun, asphalt on a third of it\n- head teacher: must not cost the school anything after the first year; caretaker has no time for watering in the holidays\n- offers: raised beds from Holzbau Brandl 6 pieces 2,340 EUR delivered; scout group would build the same from pallets, material about 380 EUR, but 'lasts 4 years maybe'\n- breaking up the asphalt: town quotes 3,100 EUR, waits until spring 2028; firm Lenz 4,650 EUR, in March\n- the support association has 3,000 EUR, not promised yet. foundation 'Schulgrün' pays up to 5,000 EUR, half of the cost, application by 31 January, wants a watering plan for the holidays\n- Mrs Okafor: two classes want to use it in biology from May on",
    ],
    [
      "Mail of the caretaker",
      "# Mail, 9 November\n\nThe tap behind the gym was shut off in 2019, the pipe froze. Opening it again: plumber says 600 to 900 EUR. There is a rain barrel of 300 l at the gym. I will not carry cans.",
    ],
  ],
};

const concert: Scene = {
  name: "concert",
  objective: "Plan the preparation of our spring concert until the day itself",
  documents: [
    [
      "Facts",
      "# Choir, spring concert\n\nSaturday 8 May, 19:00, church St. Anna (free after 16:00, must be left by 22:30). 34 singers, 3 soloists, organ. Rehearsals Wednesdays 19:30-21:30. Programme about 75 minutes. Church asks for 120 EUR heating. Posters need 3 weeks. Entry free, donations.",
    ],
  ],
  writeMode: "approve_plan",
  answers: [
    "Not yet: please no separate run sheet, put the day itself into the plan as its last section called 'The day'. The plan must fit on one page, 300 words at most. And ten tasks are enough. The soloists also rehearse on Tuesdays at 18:00 in April.",
    "approve",
  ],
};

const canteen: Scene = {
  name: "canteen",
  objective:
    "Prepare the school board's decision on 11 December: which caterer, what does it cost families and school, and what has to happen until September? One paper of at most 500 words with a table of the two offers, and tasks with due dates for what has to happen.",
  documents: [
    [
      "Notes of the kitchen group",
      "# Kitchen group, 9 November\n\n- new school canteen opens 1 September 2027, 140 meals a day, three days a week at first\n- caterer Bruns: 4.90 EUR per meal, minimum 100 meals a day, vegetarian every day, contract 2 years, notice 3 months\n- caterer Kaya: 5.40 EUR per meal, cooks in our kitchen, no minimum, needs a combi oven (quote 9,800 EUR, 10 weeks) and a dishwasher (we have one, from 2009, makes noises)\n- parents: survey, 212 of 310 families answered; 61 % would pay up to 4.50 EUR, 22 % up to 5.50 EUR, rest less; allergies: 17 children\n- town pays 0.80 EUR per meal, and once up to 12,000 EUR for equipment, if asked for before 31 January\n- Mr Olsen (head): wants at most one person of ours bound to it, 10 hours a week",
    ],
    [
      "What is open",
      "# What is open\n\n- allergies: does Bruns label the 14 allergens? Kaya does (shown at the tasting)\n- tasting with Bruns: 24 November, 13:00, four places, who goes?\n- inspection of the kitchen by the health office: takes 6 weeks to get a date\n- who decides? school board meets 11 December and 22 January",
    ],
  ],
  guidance: {
    before: "0003",
    text: "Kaya has just written: she can rent us a combi oven for 180 EUR a month, so we need not buy one. The dishwasher is not our business any more, the town replaces it in July.",
  },
};

const letter: Scene = {
  name: "letter",
  objective:
    "Write the letter to the parents of the children who are booked (what to bring, money, dates, what we still need from them), one page, and a short list for us of what is not settled yet",
  documents: [
    [
      "Notes of the camp team",
      "# Camp team, 11 November\n\n- camp 18 to 25 July 2027, lake site Birkensee, 42 children booked so far, room for 48\n- site wants 30 % deposit (total 6,240 EUR) by 15 December, rest by 1 June\n- bus: Reimers 1,180 EUR both ways for 50 seats; train would be 22 EUR per person each way with group ticket, 40 min walk with luggage\n- leaders: Ines, Tom, Farid, and Lea only until 22 July; rule: one leader per 10 children\n- last year: rain tent too small, first aid kit had expired plasters, two children did not swim well enough for the raft\n- fee 185 EUR per child, two families asked whether they may pay in parts",
    ],
  ],
  guidance: {
    before: "0002",
    text: "Lea can stay until the end after all. And please put the list for us into tasks instead of a page.",
  },
};

const workshop: Scene = {
  name: "workshop",
  objective:
    "Write a one-page proposal for our team meeting on 27 November: stay in the parish hall or move to the library, and what do we do when Nils leaves? With the sums for a year, and tasks for what cannot wait.",
  documents: [
    [
      "Notes of the team",
      "# Workshop team, 12 November\n\n- repair afternoons every first Saturday, 14 to 17, parish hall; 23 visitors on average, 31 in October; about 6 of 10 things are repaired\n- helpers: Nils (electrical, the only one with a tester), Greta and Abel (sewing), Sofie (bicycles), Mr Tran (wood); Nils moves away in March\n- the hall costs 40 EUR each time from January on, until now free; donations 55 EUR on average per afternoon, materials about 20 EUR\n- library offers its cellar for free, but Thursdays 16 to 19 only, no bicycles, wheelchair access by lift\n- insurance through the parish ends if we leave the parish hall; own one about 240 EUR a year (offer Concordia)\n- electrical repairs without a tester and someone trained are not allowed; course 2 days, 310 EUR, next one 16/17 January, registration until 4 December",
    ],
  ],
  guidance: {
    before: "0003",
    text: "News: the parish lets us stay for 25 EUR each time if we also sweep the hall. And Abel wants to do the course, he pays half of it himself.",
  },
};

export const scenes = {
  roof,
  book,
  festival,
  garden,
  invitation,
  school,
  concert,
  canteen,
  letter,
  workshop,
} as const;
