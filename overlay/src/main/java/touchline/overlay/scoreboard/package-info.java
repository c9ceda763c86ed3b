/** The scoreboard page that comes with the house, served to the house's own browser. */
@NullMarked
package touchline.overlay.scoreboard;

import org.jspecify.annotations.NullMarked;
