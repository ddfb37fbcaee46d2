// One thing that iterations use, as bars for each or as a line of the sum towards its budget; in words, and as a table.

import { BarChart, LineChart } from "@mantine/charts";
import { Group, Paper, SegmentedControl, Text, Title } from "@mantine/core";
import { useState } from "react";
import type { Run } from "../../../../../src/protocol/api.ts";
import { countTicks } from "./axis-ticks.ts";
import { averageOf, labelOf, type Measure, type Point, pointsOf, type SeriesItem } from "./figures-over-time.ts";
import { FiguresTable } from "./figures-table.tsx";
import { type MeasureSpec, measures, prospect, sentenceOf } from "./measures.ts";

type MeasurePictureProps = { readonly measure: Measure; readonly items: readonly SeriesItem[]; readonly run: Run };

const modes = [
  { value: "sum", label: "Cumulative" },
  { value: "each", label: "Each" },
];
const height = 200;

export function MeasurePicture({ measure, items, run }: MeasurePictureProps) {
  const [mode, setMode] = useState("sum");
  const spec = measures[measure];
  const points = pointsOf(items, measure);
  const isUnused = points.every(({ used }) => used === 0);
  return (
    <Paper withBorder p="md" component="figure" m={0} className="picture">
      <Group justify="space-between" mb={4}>
        <Title order={3} size="h5">
          {spec.title}
        </Title>
        {isUnused ? null : (
          <SegmentedControl
            size="xs"
            aria-label={`${spec.title}: in sum or each iteration`}
            data={modes}
            value={mode}
            onChange={setMode}
          />
        )}
      </Group>
      <Text component="figcaption" size="sm" c="dimmed" mb="sm">
        {sentenceOf(run, items, measure)}
      </Text>
      {isUnused ? null : (
        <div aria-hidden className="picture-chart">
          {mode === "each" ? (
            <EachChart points={points} spec={spec} />
          ) : (
            <SumChart points={points} spec={spec} ahead={prospect(run, items, measure)} budget={spec.budgetOf(run)} />
          )}
        </div>
      )}
      {isUnused ? null : <FiguresTable points={points} spec={spec} />}
    </Paper>
  );
}

/** They are read in the table; a keyboard would only be held up here. */
const shared = {
  h: height,
  dataKey: "label",
  gridAxis: "xy",
  accessibilityLayer: false,
  xAxisProps: { minTickGap: 24 },
} as const;

function EachChart({ points, spec }: { readonly points: readonly Point[]; readonly spec: MeasureSpec }) {
  // Where a bar stands for several, it is as high as one of them usually is.
  const data = points.map((point) => ({ label: labelOf(point), used: averageOf(point) }));
  const ticks = spec.ticks(Math.max(...data.map(({ used }) => used)));
  return (
    <BarChart
      {...shared}
      data={data}
      series={[{ name: "used", label: spec.title, color: spec.color }]}
      valueFormatter={spec.write}
      yAxisProps={yAxisOf(ticks, spec)}
      barProps={{ isAnimationActive: false, minPointSize: 1 }}
      maxBarWidth={40}
    />
  );
}

const yAxisOf = (ticks: readonly number[], { tick }: MeasureSpec) => ({
  width: 64,
  tickFormatter: tick,
  ticks: [...ticks],
  domain: [0, ticks.at(-1) ?? 0],
});

type SumChartProps = {
  readonly points: readonly Point[];
  readonly spec: MeasureSpec;
  readonly ahead: ReturnType<typeof prospect>;
  readonly budget: number | null;
};

/** A budget far above everything drawn would press the line flat; the sentence tells of it. */
const budgetWithin = 4;

function SumChart({ points, spec, ahead, budget }: SumChartProps) {
  const last = points.at(-1);
  const end = ahead && last ? [{ iteration: ahead.iteration, ahead: ahead.sum }] : [];
  const data = [
    { iteration: 0, sum: 0 },
    ...points.map((point) => ({
      iteration: point.last,
      sum: point.sum,
      ...(point === last && end.length > 0 ? { ahead: point.sum } : {}),
    })),
    ...end,
  ];
  const highest = Math.max(last?.sum ?? 0, ahead?.sum ?? 0);
  const isBudgetNear = budget !== null && budget <= highest * budgetWithin;
  return (
    <LineChart
      {...shared}
      dataKey="iteration"
      data={data}
      series={[
        { name: "sum", label: "So far", color: spec.color },
        { name: "ahead", label: "If it goes on like this", color: "gray.6", strokeDasharray: "4 4" },
      ]}
      curveType="linear"
      withDots={points.length <= 20}
      connectNulls
      valueFormatter={spec.write}
      xAxisProps={{
        type: "number",
        domain: [0, "dataMax"],
        ticks: [...countTicks(ahead?.iteration ?? last?.last ?? 0)],
        minTickGap: 24,
      }}
      yAxisProps={yAxisOf(spec.ticks(isBudgetNear ? Math.max(budget, highest) : highest), spec)}
      lineProps={{ isAnimationActive: false }}
      referenceLines={
        isBudgetNear
          ? [{ y: budget, label: "Budget", color: "var(--mantine-color-dimmed)", labelPosition: "insideTopLeft" }]
          : []
      }
    />
  );
}
