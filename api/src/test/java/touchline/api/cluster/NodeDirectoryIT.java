package touchline.api.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import touchline.api.db.NodeRepository;
import touchline.api.domain.ClusterNode;
import touchline.api.domain.NodeAddresses;
import touchline.config.DatabaseConfig;

/** What a node knows of the other one, on one PostgreSQL. */
@Timeout(480)
final class NodeDirectoryIT {
    private static final NodeAddresses ADDRESSES =
            new NodeAddresses("http://127.0.0.1:1", "http://127.0.0.1:2", "127.0.0.1:3");

    private final DatabaseConfig config = TestNode.database();
    private final TestNode a = new TestNode(config, "node-a", true);
    private final TestNode b = new TestNode(config, "node-b", true);
    private final NodeDirectory directory =
            new NodeDirectory(
                    new NodeRepository(a.database),
                    a.database.node().orElseThrow(),
                    new DatabaseClock(Instant.now(), System::nanoTime));

    @AfterEach
    void close() {
        b.close();
        a.close();
    }

    private static List<String> ids(List<ClusterNode> nodes) {
        return nodes.stream().map(ClusterNode::id).toList();
    }

    /** A change that was committed just before the database went away still has its receivers. */
    @Test
    void otherNodes_areThoseOfTheLastReading_whileTheDatabaseIsAway() {
        directory.tick();
        assertEquals(List.of(), ids(directory.othersNow()), "its address is not known");
        new NodeRepository(b.database).publish(b.database.node().orElseThrow(), ADDRESSES);
        assertEquals(List.of("node-b"), ids(directory.othersNow()));
        assertEquals(List.of(), ids(directory.others()));
        directory.tick();

        a.execute("ALTER TABLE nodes RENAME TO nodes_away");
        assertEquals(List.of("node-b"), ids(directory.othersNow()));
        a.execute("ALTER TABLE nodes_away RENAME TO nodes");
    }
}
