/** TorchScript files written from Java: modules of a few lines, for demo models and tests. */
@NullMarked
package touchline.moderation.torchscript;

import org.jspecify.annotations.NullMarked;
