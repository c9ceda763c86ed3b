/** Moderation of sessions: audit runs, evidence frames, records and their events. */
@NullMarked
package touchline.api.audit;

import org.jspecify.annotations.NullMarked;
