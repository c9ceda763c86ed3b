package touchline.api.db;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Jobs of one server, and of a node of a cluster, at a start. */
final class JobRowsTest {
    @Test
    void move_toACluster_givesLocalJobsToThisNode() {
        try (Database database = MemoryDatabase.openNode("node-a")) {
            insert(database, "clip", "1", "");
            insert(database, "notice", "2", "");
            insert(database, "clip@node-b", "3", "");
            JobRows rows = new JobRows(database);

            rows.move(List.of("clip"));

            assertEquals("clip@node-a", rows.here("clip"));
            assertEquals(
                    List.of("clip@node-a 1", "clip@node-b 3", "notice 2"),
                    jobs(database, "CONCAT(task_name, ' ', task_instance)"));
        }
    }

    /** Jobs that retry webhooks are arranged again by the start. */
    @Test
    void move_backToOneServer_takesAllNodesJobs() {
        try (Database database = MemoryDatabase.open()) {
            insert(database, "clip@node-a", "1", "");
            insert(database, "clip@node-b", "2", "");
            insert(database, "webhook-retry@node-a", "3", "");
            insert(database, "webhook-retry@node-b", "3", "");
            JobRows rows = new JobRows(database);

            rows.move(List.of("clip"));

            assertEquals("clip", rows.here("clip"));
            assertEquals(
                    List.of("clip 1", "clip 2"),
                    jobs(database, "CONCAT(task_name, ' ', task_instance)"));
        }
    }

    @Test
    void freeInterrupted_ofANode_areThoseOfItsFormerLives() {
        try (Database database = MemoryDatabase.openNode("node-a")) {
            insert(database, "clip", "1", "node-a#1");
            insert(database, "clip", "2", "node-b#1");
            insert(database, "clip", "3", "");
            JobRows rows = new JobRows(database);

            assertEquals(1, rows.freeInterrupted());

            assertEquals(
                    List.of("1 1", "2 0", "3 0"),
                    jobs(
                            database,
                            "CONCAT(task_instance, ' ', COALESCE(consecutive_failures, 0))"));
        }
    }

    @Test
    void freeStopped_ofANode_areThoseOfThisLife_withoutAFailure() {
        try (Database database = MemoryDatabase.openNode("node-a")) {
            insert(database, "clip", "1", "node-a#1");
            insert(database, "clip", "2", "node-a#7");
            JobRows rows = new JobRows(database);

            assertEquals(1, rows.freeStopped());

            assertEquals(
                    List.of("1 false", "2 true"),
                    jobs(database, "CONCAT(task_instance, ' ', LOWER(CAST(picked AS VARCHAR)))"));
            assertEquals(1, rows.freeInterrupted(), "that of the former life");
        }
    }

    /**
     * @param pickedBy empty: it waits
     */
    private static void insert(Database database, String kind, String id, String pickedBy) {
        try (Connection connection = database.dataSource().getConnection();
                PreparedStatement statement =
                        connection.prepareStatement(
                                "INSERT INTO jobs (task_name, task_instance, execution_time,"
                                        + " picked, picked_by, version) VALUES (?, ?,"
                                        + " CURRENT_TIMESTAMP, ?, NULLIF(?, ''), 1)")) {
            statement.setString(1, kind);
            statement.setString(2, id);
            statement.setBoolean(3, !pickedBy.isEmpty());
            statement.setString(4, pickedBy);
            statement.executeUpdate();
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private static List<String> jobs(Database database, String column) {
        List<String> found = new ArrayList<>();
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery("SELECT " + column + " FROM jobs ORDER BY 1")) {
            while (row.next()) {
                found.add(row.getString(1));
            }
            return found;
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }
}
