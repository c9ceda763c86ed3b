/** Scoreboards of sessions: settings, compositors, overlay publishers and their events. */
@NullMarked
package touchline.api.scoreboard;

import org.jspecify.annotations.NullMarked;
