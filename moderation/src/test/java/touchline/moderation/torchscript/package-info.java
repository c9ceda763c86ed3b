/** Writes TorchScript files of a few lines, for tests and to generate the demo models. */
@NullMarked
package touchline.moderation.torchscript;

import org.jspecify.annotations.NullMarked;
