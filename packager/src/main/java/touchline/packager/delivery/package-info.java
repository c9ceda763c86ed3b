/** The playback plane: Netty HTTP, zero copy. */
@NullMarked
package touchline.packager.delivery;

import org.jspecify.annotations.NullMarked;
