/** Models run by PyTorch through DJL; nothing native leaves this package. */
@NullMarked
package touchline.moderation.djl;

import org.jspecify.annotations.NullMarked;
