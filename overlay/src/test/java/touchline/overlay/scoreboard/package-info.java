@NullMarked
package touchline.overlay.scoreboard;

import org.jspecify.annotations.NullMarked;
