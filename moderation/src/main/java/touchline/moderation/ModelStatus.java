package touchline.moderation;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * A model in the health report, in {@code doctor} and in the API. Immutable.
 *
 * @param name name of the folder
 * @param serves alert types; empty when {@code model.yaml} cannot be read
 * @param demo a demo model
 * @param licence from {@code model.yaml}; empty when that cannot be read
 * @param reason why the model does not work; empty when it works
 */
public record ModelStatus(
        String name,
        Set<AlertType> serves,
        boolean demo,
        String licence,
        State state,
        Optional<String> reason) {
    /** State of a model. */
    public enum State {
        LOADING,
        READY,
        BROKEN,
        /** A demo model while {@code moderation.demo-models} is false. */
        UNUSED;

        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public ModelStatus {
        serves = Set.copyOf(serves);
    }
}
