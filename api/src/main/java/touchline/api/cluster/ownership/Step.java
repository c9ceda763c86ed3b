package touchline.api.cluster.ownership;

import java.util.List;

/**
 * The result of a message: the next state, and what the cluster does now, in this order. Immutable.
 *
 * @param <S> state
 * @param <A> action
 */
public record Step<S, A>(S state, List<A> actions) {
    public Step {
        actions = List.copyOf(actions);
    }

    @SafeVarargs
    @SuppressWarnings("varargs")
    public static <S, A> Step<S, A> of(S state, A... actions) {
        return new Step<>(state, List.of(actions));
    }
}
