package touchline.api.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import touchline.api.db.ClusterChanges.Kind;
import touchline.api.db.EndpointOwnerRepository;
import touchline.config.DatabaseConfig;

/** Changes and endpoints of two nodes on one PostgreSQL. */
@Timeout(480)
final class ChangeFeedIT {
    private static final String ENDPOINT_ROW =
            """
            INSERT INTO webhook_endpoints (id, url, description, events, sealed, created_at_ms)
            VALUES ('whe_1', 'https://example.org', '', '[]', '', 0)
            """;

    private final DatabaseConfig config = TestNode.database();
    private final TestNode a = new TestNode(config, "node-a", true);
    private final TestNode b = new TestNode(config, "node-b", true);

    @AfterEach
    void close() {
        b.close();
        a.close();
    }

    @Test
    void changes_reachTheOtherNodesOnce_andAgainAfterAFailure() {
        a.database.changes().record(Kind.STREAM, "before");
        ChangeFeed feed = new ChangeFeed(b.database.changes(), System::nanoTime);
        List<String> received = new ArrayList<>();
        feed.follow(Kind.ASSET, received::add);
        feed.follow(
                Kind.STREAM,
                id -> {
                    received.add(id);
                    if (received.size() == 1) {
                        throw new IllegalStateException("not now");
                    }
                });
        a.database.changes().record(Kind.STREAM, "str_1");
        b.database.changes().record(Kind.STREAM, "own");
        a.database.changes().record(Kind.SIGNING_KEY, "not followed");
        for (int i = 0; i < 3; i++) {
            feed.tick();
        }

        assertEquals(List.of("str_1", "str_1"), received);
        a.database.changes().record(Kind.ASSET, "ast_1");
        feed.tick();
        assertEquals("ast_1", received.getLast());
    }

    @Test
    void changes_ofATransactionThatFails_reachNoNode() {
        ChangeFeed feed = new ChangeFeed(b.database.changes(), System::nanoTime);
        List<String> received = new ArrayList<>();
        feed.follow(Kind.STREAM, received::add);

        assertThrows(
                IllegalStateException.class,
                () ->
                        a.database.transact(
                                () -> {
                                    a.database.changes().record(Kind.STREAM, "str_1");
                                    throw new IllegalStateException("rolled back");
                                }));
        feed.tick();

        assertEquals(List.of(), received);
    }

    @Test
    void endpoint_hasOneNode_untilThatEnds() {
        a.execute(ENDPOINT_ROW);
        EndpointOwnerRepository ofA = new EndpointOwnerRepository(a.database);
        EndpointOwnerRepository ofB = new EndpointOwnerRepository(b.database);
        EndpointOwnerRepository.Free free = ofB.free().getFirst();

        assertTrue(ofA.claim(free));
        assertFalse(ofB.claim(free));
        assertEquals(List.of(), ofB.free());
        a.database.close();

        assertTrue(ofB.claim(ofB.free().getFirst()));
    }
}
