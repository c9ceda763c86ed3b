/** Which network addresses the house may reach. */
@NullMarked
package touchline.media.net;

import org.jspecify.annotations.NullMarked;
