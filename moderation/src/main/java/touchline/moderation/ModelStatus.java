package touchline.moderation;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * A model as health, {@code doctor} and the API tell of it. Immutable.
 *
 * @param name its folder
 * @param serves alert types; empty where {@code model.yaml} cannot be read
 * @param demo one of the two that only demonstrate
 * @param licence as its {@code model.yaml} says; empty where that cannot be read
 * @param state what it does now
 * @param reason why it does not work; empty where it does
 */
public record ModelStatus(
        String name,
        Set<AlertType> serves,
        boolean demo,
        String licence,
        State state,
        Optional<String> reason) {
    /** What a model does. */
    public enum State {
        LOADING,
        READY,
        BROKEN,
        /** A demo model where demo models are not wanted. */
        UNUSED;

        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public ModelStatus {
        serves = Set.copyOf(serves);
    }
}
