/** The bundled scoreboard page, served to the server's own browser. */
@NullMarked
package touchline.overlay.scoreboard;

import org.jspecify.annotations.NullMarked;
