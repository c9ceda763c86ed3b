/** Moderation: samples frames of a session, runs models on them, gates the parts. */
@NullMarked
package touchline.moderation;

import org.jspecify.annotations.NullMarked;
