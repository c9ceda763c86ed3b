/** Tests of the address rules. */
@NullMarked
package touchline.media.net;

import org.jspecify.annotations.NullMarked;
