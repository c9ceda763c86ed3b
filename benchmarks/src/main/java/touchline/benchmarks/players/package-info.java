/** The whole server, watched by players: in Chromium, and programs of the host. */
@NullMarked
package touchline.benchmarks.players;

import org.jspecify.annotations.NullMarked;
