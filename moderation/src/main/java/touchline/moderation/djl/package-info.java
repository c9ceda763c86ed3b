/** Runs models with PyTorch through DJL. Native memory stays inside this package. */
@NullMarked
package touchline.moderation.djl;

import org.jspecify.annotations.NullMarked;
