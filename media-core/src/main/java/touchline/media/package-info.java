/** The media model: streams, sessions, tracks, access units and their timeline. */
@NullMarked
package touchline.media;

import org.jspecify.annotations.NullMarked;
