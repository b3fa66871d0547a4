/** The rows that the events of a live run cannot show, and why. */
export const unseenLive: { readonly [row: string]: string } = {
  'SEP-15':
    'No event tells where a thought begins and ends, and when the model wrote its text: text that was delayed looks like text that the model wrote later.',
  'SEP-54':
    'The events have the text of a response after its references were replaced, and not as the model wrote it: a $name in it may be a $$name, or stand in an output.',
  'SEP-98': 'No event tells the variables that the caller gave.',
  'SEP-99': 'No event tells what the model sees before a further iteration.',
};
