package touchline.media.rendition;

import java.util.List;
import touchline.media.AccessUnit;
import touchline.media.Timeline;

/** What the feed of a rendition had. */
record Read(String name, List<Timeline> timelines, List<AccessUnit> units) {}
