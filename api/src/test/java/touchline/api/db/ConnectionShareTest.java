package touchline.api.db;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class ConnectionShareTest {
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final ConnectionShare one = new ConnectionShare(1, Duration.ZERO);

    @AfterEach
    void close() {
        threads.close();
    }

    private <T> T elsewhere(Supplier<T> work) {
        try {
            return threads.submit(work::get).get();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        } catch (ExecutionException e) {
            throw (RuntimeException) e.getCause();
        }
    }

    private String request() {
        return one.request(() -> one.withConnection(() -> "answer"));
    }

    @Test
    void request_beyondTheShare_isUnavailable_untilAnotherEnds() {
        DatabaseException refused =
                one.request(
                        () ->
                                one.withConnection(
                                        () ->
                                                assertThrows(
                                                        DatabaseException.class,
                                                        () -> elsewhere(this::request))));

        assertTrue(refused.isUnavailable());
        assertEquals("answer", request());
    }

    @Test
    void workOfNoRequest_needsNoShare() {
        String answer =
                one.request(
                        () ->
                                one.withConnection(
                                        () -> elsewhere(() -> one.withConnection(() -> "it"))));

        assertEquals("it", answer);
    }

    @Test
    void connectionWithinAnother_isTheSameShare() {
        assertEquals(
                "answer",
                one.request(() -> one.withConnection(() -> one.withConnection(() -> "answer"))));
    }

    @Test
    void failedWork_givesItsShareBack() {
        assertThrows(
                IllegalStateException.class,
                () ->
                        one.request(
                                () ->
                                        one.withConnection(
                                                () -> {
                                                    throw new IllegalStateException();
                                                })));

        assertEquals("answer", request());
    }

    @Test
    void share_isThreeFifthsOfThePool() {
        ConnectionShare share = new ConnectionShare(5, Duration.ZERO);
        Supplier<String> third = () -> share.request(() -> share.withConnection(() -> "third"));
        Supplier<String> second =
                () -> share.request(() -> share.withConnection(() -> elsewhere(third)));
        Supplier<String> fourth =
                () -> share.request(() -> share.withConnection(() -> elsewhere(second)));

        assertEquals("third", elsewhere(second));
        assertEquals("third", elsewhere(fourth));
        assertThrows(
                DatabaseException.class,
                () -> share.request(() -> share.withConnection(() -> elsewhere(fourth))));
    }
}
