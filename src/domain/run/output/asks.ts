// Whether a text ends by asking the reader something. Only a hint, for the next prompt: the model has to ask with its
// status block, or decide. It never stops a run or makes it wait, as prose cannot be answered and is often rhetorical.

/** A question that is meant stands at the end. */
const tailMax = 2_000;

/** The reader is addressed, or the writer asks for leave. */
const addressed =
  /\b(?:(?:should|shall|may|can|could|do|must) (?:i|we)|(?:do|would|could|can|will|did|are|have) you|you(?:r|'d)? (?:like|want|prefer|think|mean|rather)|your (?:preference|choice|input|approval)|which (?:one|option|approach|of)|what (?:should|would)|how (?:should|would)|ok(?:ay)? (?:to|with|if)|is (?:that|this|it) (?:ok|okay|fine|right|correct|all right))\b/i;
const requested =
  /\b(?:please (?:confirm|clarify|advise|choose|decide|specify|approve|answer|tell me|let me know|provide|review and)|let me know (?:which|whether|how|what|when|where|if (?:you|i|we|this|that|it)\b(?! have any))|(?:waiting|wait) (?:for|on) your|awaiting your|(?:need|require) (?:your|more|further|some) (?:input|clarification|confirmation|decision|approval|guidance|information|answer)|before (?:i|we) (?:proceed|continue|go on),? (?:please|i need))\b/i;

export function asksReader(text: string): boolean {
  const tail = text
    .slice(-tailMax)
    .replace(/```[\s\S]*?(?:```|$)/g, " ")
    .replace(/^\s*>.*$/gm, " ");
  const sentences = tail.match(/[^.!?\n]+[.!?]*/g) ?? [];
  return sentences.some((each) => (each.includes("?") && addressed.test(each)) || requested.test(each));
}
