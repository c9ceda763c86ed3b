/** Live sessions: their publications, feeds and subscriptions. */
@NullMarked
package touchline.media.hub;

import org.jspecify.annotations.NullMarked;
