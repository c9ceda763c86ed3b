/** Tests with PyTorch itself. */
@NullMarked
package touchline.moderation.djl;

import org.jspecify.annotations.NullMarked;
