/** Credentials, playback grants and signed addresses. */
@NullMarked
package touchline.api.access;

import org.jspecify.annotations.NullMarked;
