package external.envelope;

import external.json.Json;
import java.util.ArrayList;
import java.util.List;

/** Finds the values of paths of names in a request. */
final class Paths {
  private Paths() {}

  /** All values that a path leads to; more than one only if names are repeated. */
  static List<Json> values(Json.Obj root, List<String> path) {
    List<Json> reached = List.of(root);
    for (String name : path) {
      List<Json> next = new ArrayList<>();
      for (Json value : reached) {
        if (value instanceof Json.Obj object) next.addAll(object.all(name));
      }
      reached = next;
    }
    return reached;
  }

  /** The value that a path leads to, or null. */
  static Json value(Json.Obj root, List<String> path) {
    List<Json> values = values(root, path);
    return values.isEmpty() ? null : values.get(0);
  }

  /** Whether a name of a path is repeated in an object that it leads to (0.3). */
  static boolean isRepeated(Json.Obj root, List<String> path) {
    for (int i = 1; i <= path.size(); i++) {
      if (values(root, path.subList(0, i)).size() > 1) return true;
    }
    return false;
  }
}
