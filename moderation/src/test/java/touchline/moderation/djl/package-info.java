/** Tests that run PyTorch. */
@NullMarked
package touchline.moderation.djl;

import org.jspecify.annotations.NullMarked;
