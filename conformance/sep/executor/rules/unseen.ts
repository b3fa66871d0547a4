const noManifest = 'No event tells the manifest.';
const noSight = 'No event tells what the model sees of feeds.';

const noOutput =
  'The events have the actions and the text of blocks and templates as they came out, and not as the model wrote them.';
const noRollbacks = 'No event need tell which actions have a rollback.';
const noSource = 'The event of a feed has its value after all steps, and none tells the value of its source.';

/** The rows that the events of a live run cannot show, and why. */
export const unseenLive: { readonly [row: string]: string } = {
  'SEP-15':
    'No event tells where a thought begins and ends, and when the model wrote its text: text that was delayed looks like text that the model wrote later.',
  'SEP-54':
    'The events have the text of a response after its references were replaced, and not as the model wrote it: a $name in it may be a $$name, or stand in an output.',
  'SEP-143': 'No event tells a text as the model or a tool wrote it.',
  'SEP-145': 'No event tells the body of an action as the model wrote it.',
  'SEP-98': 'No event tells the variables that the caller gave.',
  'SEP-99': 'No event tells what the model sees before a further iteration.',
  'SEP-146': 'No event tells what the model sees before a further iteration.',
  'SEP-58': noManifest,
  'SEP-59': noManifest,
  'SEP-60': noManifest,
  'SEP-61': noManifest,
  'SEP-62': noManifest,
  'SEP-63': noManifest,
  'SEP-64': 'No event tells the whole text of a feed that was cut.',
  'SEP-65': noManifest,
  'SEP-66': noManifest,
  'SEP-68': noSight,
  'SEP-70':
    'An internal action that fails may be denied by the manifest, and no event tells whether a provider was asked.',
  'SEP-73': 'No event tells the members that a feed has.',
  'SEP-74': noManifest,
  'SEP-75': 'No event tells which internal actions are denied.',
  'SEP-100': noManifest,
  'SEP-101': noManifest,
  'SEP-102': noManifest,
  'SEP-103': 'No event tells the variables of the environment.',
  'SEP-104': 'No event tells the variables that the caller gave, and an output may have the value of a feed.',
  'SEP-105': noSight,
  'SEP-106': 'No event tells which feed could not be fetched, but a diagnostic in words.',
  'SEP-107': noSight,
  'SEP-88': noManifest,
  'SEP-115': noOutput,
  'SEP-116': noOutput,
  'SEP-117': noOutput,
  'SEP-118': noOutput,
  'SEP-119': noOutput,
  'SEP-120': noOutput,
  'SEP-121': noOutput,
  'SEP-122': noOutput,
  'SEP-123': noOutput,
  'SEP-124': noOutput,
  'SEP-125': noOutput,
  'SEP-130': noRollbacks,
  'SEP-131': noRollbacks,
  'SEP-133':
    'An output may be equal to one of its parts, and no event tells what a value in a response stands for.',
  'SEP-134': 'No event tells when an attempt is over, and a part that is not told leaves no trace.',
  'SEP-135': noSource,
  'SEP-136': noSource,
  'SEP-137': noSource,
  'SEP-138': noManifest,
  'SEP-139': noManifest,
  'SEP-140': noManifest,
  'SEP-110': 'A fetch at another time than the interval may wait for a cache, or for another feed.',
};
