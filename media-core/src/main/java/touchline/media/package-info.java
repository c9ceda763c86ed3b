/** The words of the trade: streams, sessions, tracks, access units and their timeline. */
@NullMarked
package touchline.media;

import org.jspecify.annotations.NullMarked;
